import type { Candidate } from '#core/mailbox/message.ts'
import { collectText, htmlToText, readHtml } from '../html/to-text.ts'
import { type CodeCandidate, codeCandidates } from './code.ts'
import { plain } from './digits.ts'
import { Line, linesOf } from './lines.ts'
import { type LinkCandidate, linkCandidates } from './link.ts'
import { collectMarkup, linksInText, type Markup } from './links.ts'
import type { Kind } from './model.ts'

export interface FinderInput {
  subject: string
  fromAddress: string
  fromName: string
  text: string | null
  html: string | null
}

export interface Found {
  /** The one-time code, ready to be typed in. */
  code: string | null
  /** The http(s) URL to confirm, activate, reset or sign in with. */
  link: string | null
  /** What may be one of them, the most probable first. */
  candidates: Candidate[]
}

export interface FinderLimits {
  /** Characters of each part that are searched. A request to confirm stands at the beginning. */
  maxText: number
  maxHtml: number
  maxLines: number
  maxLinks: number
}

/** Characters of HTML that are read for an inbox row. */
export const MAX_HTML = 200_000
const LIMITS: FinderLimits = { maxText: 20_000, maxHtml: MAX_HTML, maxLines: 400, maxLinks: 200 }

/** The visible text of a mail's HTML, its links and what stands out. */
export type ReadHtml = Markup & { text: string }

const NOTHING: ReadHtml = { text: '', links: [], emphasized: new Set() }

/** Reads the HTML of a mail for `findCodeAndLink`. Returns nothing if it is nested too deep. */
export function readMailHtml(html: string | null, limits = LIMITS): ReadHtml {
  if (!html) return NOTHING
  const text = collectText()
  const markup = collectMarkup(limits.maxLinks)
  try {
    readHtml(html.slice(0, limits.maxHtml), [text, markup])
  } catch (error) {
    if (error instanceof RangeError) return NOTHING
    throw error
  }
  return { text: text.result(), ...markup.result() }
}

/** All candidates with their features, the most probable first. */
export interface Candidates {
  code: CodeCandidate[]
  link: LinkCandidate[]
}

/** An image whose alternative text may be a code. */
const ALT_WITH_CODE = /<img\s[^>]*\balt\s*=\s*["'][^"']*(?:\d[\s-]?){4}/i

const KINDS = ['code', 'link'] as const
/** Candidates are offered from this confidence on. */
const LIKELY = 0.2
const MAX_CANDIDATES = 5
/** Characters of the line or label of a candidate. */
const MAX_CONTEXT = 120

/** An answer is given only above this confidence. */
const SURE = { code: 0.75, link: 0.85 }

/** Returns the candidates of a mail. `read`: its HTML, if the caller has read it. */
export function candidatesOf(
  { subject, text, html, fromName, fromAddress }: FinderInput,
  read?: ReadHtml,
  limits = LIMITS,
): Candidates {
  const title = new Line(plain(subject.slice(0, 998)))
  const { text: words, links, emphasized } = read ?? readMailHtml(html, limits)
  const shown = linesOf(words.slice(0, limits.maxText), limits.maxLines)
  let textLines: Line[] | undefined
  const written = (): Line[] =>
    (textLines ??= linesOf((text ?? '').slice(0, limits.maxText), limits.maxLines, { wrapped: true }))
  const isSender = senderOf(fromName, fromAddress)
  const inHtml = shown.length > 0 ? codeCandidates(title, shown, emphasized, isSender) : []
  let code = isClear(inHtml) ? inHtml : better(inHtml, codeCandidates(title, written(), undefined, isSender))
  const markup = html?.slice(0, limits.maxHtml) ?? ''
  if (shown.length > 0 && (code[0]?.confidence ?? 0) < SURE.code && ALT_WITH_CODE.test(markup)) {
    const described = htmlToText(markup, { images: true })
    const withImages = linesOf(described.slice(0, limits.maxText), limits.maxLines)
    code = better(code, codeCandidates(title, withImages, emphasized, isSender))
  }
  const mail = mailFeatures(shown.length > 0 ? shown : written())
  if ((code[0]?.confidence ?? 0) > SURE.code) mail.push('mail has code')
  const linksOfHtml = linkCandidates(title, links, mail)
  if (isClear(linksOfHtml)) return { code, link: linksOfHtml }
  const linksOfText = linkCandidates(
    title,
    linksInText(written().length > 0 ? written() : shown, limits.maxLinks),
    mail,
  )
  return { code, link: better(linksOfHtml, linksOfText) }
}

/** Lines that tell what a mail is about. */
const FIRST_LINES = 12

/** Returns what the first lines of a mail are about, for its links. */
function mailFeatures(lines: readonly Line[]): string[] {
  const first = lines.slice(0, FIRST_LINES)
  const features: string[] = []
  if (first.some(({ alert }) => alert)) features.push('mail alert')
  if (first.some(({ purpose }) => purpose)) features.push('mail purpose')
  if (first.some(({ trade }) => trade)) features.push('mail trade')
  if (first.some(({ care }) => care)) features.push('mail care')
  return features
}

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Returns a function that says whether a text names the sender: `Lumo` for "Lumo Fit" or no-reply@lumo.example. */
function senderOf(name: string, address: string): (text: string) => boolean {
  const known = letters(name)
  const domain = letters((/@(.*)$/.exec(address)?.[1] ?? '').split('.').slice(0, -1).join(' '))
  return (text) => {
    const asked = letters(text)
    return (
      asked.length > 1 &&
      (known.includes(asked) || (known.length > 2 && asked.startsWith(known)) || domain.includes(asked))
    )
  }
}

/** Returns whether the other part of the mail need not be read. */
const isClear = ([best]: readonly { confidence: number }[]): boolean => (best?.confidence ?? 0) > 0.9

/** Returns the list with the more probable best candidate. Senders write the same in both parts, or all in one. */
function better<T extends { confidence: number }>(first: T[], second: T[]): T[] {
  return (second[0]?.confidence ?? 0) > Math.max(first[0]?.confidence ?? 0, 0.5)
    ? second
    : first.length > 0
      ? first
      : second
}

/** Returns the best candidate if it is sure and no other one could be meant. */
function answer(kind: Kind, [best, ...others]: Candidates[Kind]): string | null {
  if (!best || best.confidence < SURE[kind] || best.features.has('year in a sentence')) return null
  const rivals = others.filter(({ confidence }) => confidence >= SURE[kind])
  const isOne =
    kind === 'code'
      ? rivals.length === 0 || best.features.has('in subject') || best.features.has('also in subject')
      : rivals.every(({ context }) => context !== best.context)
  return isOne ? best.value : null
}

/**
 * Finds the one-time code and the confirmation link of a mail in any of 43 languages. Returns null rather than a guess.
 * `read`: its HTML, if the caller has read it.
 */
export function findCodeAndLink(input: FinderInput, read?: ReadHtml, limits = LIMITS): Found {
  const found = candidatesOf(input, read, limits)
  const candidates = KINDS.flatMap((kind) =>
    found[kind]
      .filter(({ confidence }) => confidence >= LIKELY)
      .map(({ value, confidence, context }) => ({
        kind,
        value,
        confidence: Math.round(confidence * 100) / 100,
        context: context.slice(0, MAX_CONTEXT),
      })),
  )
  return {
    code: answer('code', found.code),
    link: answer('link', found.link),
    candidates: candidates.toSorted((a, b) => b.confidence - a.confidence).slice(0, MAX_CANDIDATES),
  }
}
