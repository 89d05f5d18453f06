import type { Candidate } from '#core/mailbox/message.ts'
import { collectText, htmlToText, readHtml } from '../html/to-text.ts'
import { codeRows } from './code.ts'
import { plain } from './digits.ts'
import { apart } from './glued.ts'
import { imagesMayHaveCode } from './images.ts'
import { inAny, Line, linesOf } from './lines.ts'
import { linkRows } from './link.ts'
import { collectLinks, type Link, linksInText, openable, urlsIn } from './links.ts'
import { collectLooks, type Looks, NO_LOOKS } from './looks.ts'
import { type Kind, logistic, logOdds, rank, type Ranked, type Row } from './model.ts'
import { addressFeatures, nameOf, senderOf } from './sender.ts'

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
  /** Values that may be the code or the link, the most probable first. */
  candidates: Candidate[]
}

interface FinderLimits {
  /** Characters of each part that are searched. A request to confirm stands at the beginning. */
  maxText: number
  maxHtml: number
  maxLines: number
  maxLinks: number
}

/** Characters of HTML that are read for an inbox row. */
export const MAX_HTML = 200_000
const LIMITS: FinderLimits = { maxText: 20_000, maxHtml: MAX_HTML, maxLines: 400, maxLinks: 200 }

/** The visible text of a message's HTML, its links and how its short texts are shown. */
interface ReadHtml {
  text: string
  links: Link[]
  looks: Looks
}

const NOTHING: ReadHtml = { text: '', links: [], looks: NO_LOOKS }

/** Reads the HTML of a message for `findCodeAndLink`. Returns nothing if it is nested too deep. */
export function readMailHtml(html: string | null, limits = LIMITS): ReadHtml {
  if (!html) return NOTHING
  const text = collectText()
  const links = collectLinks(limits.maxLinks)
  const looks = collectLooks()
  try {
    readHtml(html.slice(0, limits.maxHtml), [text, links, looks])
  } catch (error) {
    if (error instanceof RangeError) return NOTHING
    throw error
  }
  return { text: text.result(), links: links.result(), looks: looks.result() }
}

/** All candidates with their features, the most probable first. */
type Candidates = Record<Kind, Ranked[]>

const KINDS = ['code', 'link'] as const
/** Candidates are offered from this confidence on. */
const LIKELY = 0.2
const MAX_CANDIDATES = 5
/** Characters of the line or label of a candidate. */
const MAX_CONTEXT = 120

/** An answer is given only from this confidence on. In cross-validation, 98 % of such answers are right. */
const SURE = { code: 0.85, link: 0.82 }
/** From this confidence of a code on, the images of a message are not searched. */
const PROBABLE = SURE.code

/**
 * The candidates of a message for each of its parts, because the HTML and the text usually repeat each other, and the right
 * one may stand in only one of them.
 */
interface Readings {
  code: Record<'html' | 'text' | 'images', () => Row[]>
  link: Record<'html' | 'text', (hasCode: boolean) => Row[]>
}

/**
 * Returns the readings of a message. Each is made when it is asked for. `read`: its HTML, if the caller has read it.
 */
export function readingsOf(
  { subject, text, html, fromName, fromAddress }: FinderInput,
  read?: ReadHtml,
  limits = LIMITS,
): Readings {
  const title = new Line(apart(plain(subject.slice(0, 998))))
  const { text: words, links, looks } = read ?? readMailHtml(html, limits)
  const known = new Map<string, Line>()
  const gaps = { html: new Set<number>(), text: new Set<number>() }
  const shown = linesOf(words.slice(0, limits.maxText), limits.maxLines, { known, gaps: gaps.html })
  let textLines: Line[] | undefined
  const written = (): Line[] =>
    (textLines ??= linesOf((text ?? '').slice(0, limits.maxText), limits.maxLines, {
      wrapped: true,
      named: title.words.length > 0,
      known,
      gaps: gaps.text,
    }))
  const isSender = senderOf(fromName, fromAddress)
  const sender = addressFeatures(fromAddress)
  const markup = html?.slice(0, limits.maxHtml) ?? ''
  let said: string[] | undefined
  const about = (hasCode: boolean): string[] => [
    ...(said ??= mailFeatures(shown.length > 0 ? shown : written())),
    ...(hasCode ? ['mail has code'] : []),
    ...sender,
  ]
  const counted = countOf(
    links.length > 0 ? links.map(({ url }) => url) : urlsIn((text ?? '').slice(0, limits.maxText)),
  )
  const inText = { isSender, isName: nameOf(fromName, fromAddress), about: [...sender, ...counted] }
  const inHtml = { ...inText, looks }
  return {
    code: {
      html: () => (shown.length > 0 ? codeRows(title, shown, { ...inHtml, gaps: gaps.html }) : []),
      text: () =>
        shown.length === 0 || written().length > 0 ? codeRows(title, written(), { ...inText, gaps: gaps.text }) : [],
      images() {
        if (shown.length === 0 || !imagesMayHaveCode(markup)) return []
        const described = htmlToText(markup, { images: true })
        return codeRows(title, linesOf(described.slice(0, limits.maxText), limits.maxLines, { known }), inHtml)
      },
    },
    link: {
      html: (hasCode) => linkRows(title, links, { about: () => about(hasCode), fromAddress, visible: words }),
      text: (hasCode) =>
        linkRows(title, linksInText(written().length > 0 ? written() : shown, limits.maxLinks), {
          about: () => about(hasCode),
          fromAddress,
          visible: '',
          others: links,
        }),
    },
  }
}

/** Returns the candidates of a message. `read`: its HTML, if the caller has read it. */
export const candidatesOf = (input: FinderInput, read?: ReadHtml, limits = LIMITS): Candidates =>
  candidatesIn(readingsOf(input, read, limits))

/** Returns the candidates of all readings of a message. */
function candidatesIn(readings: Readings): Candidates {
  let code = rank('code', readings.code.html())
  if (!isClear(code)) code = combined(code, rank('code', readings.code.text()))
  if ((code[0]?.confidence ?? 0) < PROBABLE) code = better(code, rank('code', readings.code.images()))
  const hasCode = (code[0]?.confidence ?? 0) > PROBABLE
  let link = rank('link', readings.link.html(hasCode))
  if (!isClear(link)) link = combined(link, rank('link', readings.link.text(hasCode)))
  return { code, link }
}

/** Lines that tell what a message is about. */
const FIRST_LINES = 12

/** Returns what the first lines of a message are about, for its links. */
function mailFeatures(lines: readonly Line[]): string[] {
  const first = lines.slice(0, FIRST_LINES)
  const features: string[] = []
  if (first.some(({ alert }) => alert)) features.push('mail alert')
  if (first.some(({ purpose }) => purpose)) features.push('mail purpose')
  if (first.some(({ trade }) => trade)) features.push('mail trade')
  if (first.some(({ care }) => care)) features.push('mail care')
  for (const said of inAny(first, 'about')) features.push(`mail ${said}`)
  for (const topic of inAny(first, 'topics')) features.push(`mail ${topic}`)
  return features
}

const UNSUBSCRIBE = /unsub|opt-?out|abmeld|desinscri|list-manage|preferenc/i

/** Returns how many links a message has, and whether one of them unsubscribes. */
function countOf(urls: readonly string[]): string[] {
  const count = urls.length
  return [
    count === 0 ? 'no links' : count <= 2 ? 'links few' : count <= 6 ? 'links some' : 'links many',
    ...(urls.some((url) => UNSUBSCRIBE.test(url)) ? ['unsubscribe link'] : []),
  ]
}

/** Returns whether the other part of the message need not be read. */
const isClear = ([best]: readonly { confidence: number }[]): boolean => (best?.confidence ?? 0) > 0.95

/** Merges the candidates of two readings. The confidence of a candidate in both is the mean of its log-odds. */
function combined(first: readonly Ranked[], second: readonly Ranked[]): Ranked[] {
  const others = new Map(second.map((candidate) => [candidate.value, candidate]))
  const both = first.map((candidate) => {
    const other = others.get(candidate.value)
    if (!other) return candidate
    others.delete(candidate.value)
    const confidence = logistic((logOdds(candidate.confidence) + logOdds(other.confidence)) / 2)
    return { ...candidate, confidence }
  })
  return [...both, ...others.values()].toSorted((a, b) => b.confidence - a.confidence)
}

/** Returns the list with the more probable best candidate. */
function better<T extends { confidence: number }>(first: T[], second: T[]): T[] {
  return (second[0]?.confidence ?? 0) > Math.max(first[0]?.confidence ?? 0, 0.5)
    ? second
    : first.length > 0
      ? first
      : second
}

const isInSubject = ({ features }: Ranked): boolean => features.has('in subject') || features.has('also in subject')

/** From this confidence on, a second link with the same label as the best one may be the right one. */
const TWIN = 0.1
/** Returns whether there is such a second link. Then neither is certain. */
const hasTwin = ([best, ...others]: readonly Ranked[]): boolean =>
  others.some(({ context, confidence }) => context === best?.context && confidence > TWIN)

/**
 * Returns the best candidate if it is sure. A code in the subject is the one that is meant if the text has several, so
 * the confidence of the others counts for it.
 */
function answer(kind: Kind, ranked: Candidates[Kind]): string | null {
  const [best] = ranked
  if (kind === 'link' && hasTwin(ranked)) return null
  return best && certainty(ranked) >= SURE[kind] && best.confidence > SURE[kind] / 2 ? best.value : null
}

/** Returns whether a link deletes, cancels, undoes or pays something. Such a link is never offered as certain. */
const harms = (features: ReadonlySet<string>): boolean =>
  features.has('label undo') ||
  features.has('label money') ||
  (features.has('subject undo') && (features.has('sentence undo') || features.has('before undo')))

/** Returns whether a candidate verifies a document, and no one-time code is named. */
const verifiesDocument = (features: ReadonlySet<string>): boolean =>
  (features.has('document code before') && features.has('no code word')) ||
  (features.has('above 1 document code') && !features.has('named'))

/** Returns how certain the best candidate is. */
function certainty([best, ...others]: Candidates[Kind]): number {
  if (!best || best.features.has('year in a sentence') || harms(best.features) || verifiesDocument(best.features))
    return 0
  const rivals = isInSubject(best) ? others.filter((other) => !isInSubject(other)) : []
  return rivals.reduce((sum, rival) => sum + rival.confidence, best.confidence)
}

/**
 * Finds the one-time code and the confirmation link of a message in any of 43 languages. Returns null rather than a
 * guess. `read`: its HTML, if the caller has read it.
 */
export function findCodeAndLink(input: FinderInput, read?: ReadHtml, limits = LIMITS): Found {
  const found = candidatesOf(input, read, limits)
  const candidates = KINDS.flatMap((kind) =>
    found[kind]
      .filter(({ confidence }) => confidence >= LIKELY)
      .map(({ value, confidence, context }) => ({
        kind,
        value: kind === 'link' ? openable(value) : value,
        confidence: Math.round(confidence * 100) / 100,
        context: context.slice(0, MAX_CONTEXT),
      })),
  )
  const link = answer('link', found.link)
  return {
    code: answer('code', found.code),
    link: link === null ? null : openable(link),
    candidates: candidates.toSorted((a, b) => b.confidence - a.confidence).slice(0, MAX_CANDIDATES),
  }
}
