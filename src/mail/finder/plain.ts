import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { escapeHtml } from '#core/text.ts'
import { type Case, WEIGHTS } from './corpus.ts'
import { randomFrom } from './net.ts'
import {
  copied,
  hostOf,
  LINKS,
  linkOf,
  OTHER_SHAPES,
  OTHERS,
  pick,
  type Random,
  SHAPES,
  valueOf,
} from './plain-values.ts'

/** Sentences of short messages in one language. `{code}`, `{n}`, `{brand}` and `{name}` are placeholders. */
interface Plain {
  codes: Text[]
  links: Button[]
  /** Texts with a number `{n}` that is not a code. */
  none: Text[]
  /** Buttons whose link confirms nothing. */
  noneLinks: Button[]
  /** Links below a code, for recipients who did not request it. */
  unasked?: Omit<Button, 'subject'>[]
  /** Labels that say by themselves that an email address or account is confirmed, and labels that resemble them. */
  labels: { confirm: string[]; other: string[] }
}
interface Text {
  subject: string
  text: string
}
interface Button {
  subject: string
  /** The sentences before the button. May be empty. */
  before: string
  label: string
}

const BRANDS = ['Lumo', 'Brindle', 'Norvik', 'TaskHive', 'Qarro', 'Vela', 'Pixelyard', 'Okomo', 'Sundry', 'Halden Bank']
const NAMES = ['Anna', 'Tom', 'Mei', 'Omar', 'Lucía', 'Ivan', 'Aiko', 'Noor']

/** How the code looks in HTML. */
const MARKUPS = [
  (code: string) => `<b>${code}</b>`,
  (code: string) => `<strong style="font-size:24px">${code}</strong>`,
  (code: string) => `<code>${code}</code>`,
  (code: string) => `<span style="letter-spacing:4px">${code}</span>`,
  (code: string) => code,
  (code: string) => `<strong>${code}</strong>`,
]
/** How a code that has a paragraph of its own looks in HTML. */
const BLOCKS = [
  (code: string) => `<h1>${code}</h1>`,
  (code: string) => `<table><tr><td style="background:#f4f4f4;padding:16px">${code}</td></tr></table>`,
  (code: string) => `<div style="text-align:center;font-size:32px"><strong>${code}</strong></div>`,
  (code: string) => `<p style="font-size:28px">${code}</p>`,
]
/** A table cell for each character. */
const boxes = (code: string): string =>
  `<table><tr>${[...code].map((sign) => `<td style="border:1px solid">${sign}</td>`).join('')}</tr></table>`
const spans = (code: string): string => `<p>${[...code].map((sign) => `<span>${sign}</span>`).join('')}</p>`

/** Returns a text as paragraphs of HTML, with the code or number of the message in some markup. */
function htmlOf(text: string, code: string, random: Random): string {
  const style = random(4)
  const paragraphs = text.split('\n\n').map((paragraph) => {
    if (paragraph === code) {
      if (style === 0 && /^\w+$/.test(code)) return random(2) === 0 ? boxes(code) : spans(code)
      return pick(BLOCKS, random)(code)
    }
    return `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>').replace(code, pick(MARKUPS, random))}</p>`
  })
  const body = paragraphs.join('\n')
  return style === 1 ? `<table width="100%"><tr><td align="center">${body}</td></tr></table>` : body
}

/** How many messages of each kind are made in each language. */
const MAILS = {
  /** A code, and a link that confirms the same. */
  both: 6,
  /** A code, and a link for recipients who did not request it. */
  unasked: 6,
  /** The same sentence with a code as subject and as text. */
  repeated: 5,
  /** A subject that says what is confirmed, and a button with a short label. */
  subjects: 4,
  /** The sentence of one button with the label of another. */
  crossed: 6,
}
/** Characters of a sentence that also serves as a subject. */
const SUBJECT_LENGTH = 70

/** A mail with both parts. One of them may be left out later. */
interface Draft {
  brand: string
  subject: string
  text: string
  html: string
  expect: Case['expect']
}

/** Chooses a brand and a name. Returns the brand, and a function that inserts both into a text. */
function fillFrom(random: Random): { brand: string; fill: (text: string) => string } {
  const [brand, name] = [pick(BRANDS, random), pick(NAMES, random)]
  return { brand, fill: (text) => text.replaceAll('{brand}', brand).replaceAll('{name}', name) }
}

/** Returns a message with a random value of the given shape. `isCode`: whether the value is its code. */
function draftOfText({ subject, text }: Text, shape: string, isCode: boolean, random: Random): Draft {
  const { brand, fill } = fillFrom(random)
  const value = valueOf(shape, random)
  const put = (part: string): string => fill(part).replace(/\{(?:code|n)\}/g, value)
  return {
    brand,
    subject: put(subject),
    text: `${put(text)}\n`,
    html: htmlOf(put(text), value, random),
    expect: { code: isCode ? copied(value) : null, link: null },
  }
}

/** The shortest labels of a language, such as "Confirm" and "Yes". */
const FEW_LABELS = 4
/** Subjects that do not tell what a message is about. */
const NEUTRAL = ['', '{brand}', 'Hello', '{name}', 'no-reply', '{brand} 👋']

/** Returns a message with only a button. `confirms`: whether its label confirms an address or account. */
const draftOfLabel = (label: string, confirms: boolean, random: Random): Draft =>
  draftOfButton({ subject: pick(NEUTRAL, random), before: '', label }, confirms, random)

/**
 * Returns a message whose subject says that an address or account is confirmed, with nothing but a button with a short
 * label.
 */
function draftOfSubject(subject: string, links: readonly Button[], random: Random): Draft {
  const byLength = links.toSorted((one, other) => one.label.length - other.label.length)
  const { label } = pick(byLength.slice(0, FEW_LABELS), random)
  return draftOfButton({ subject, before: '', label }, true, random)
}

/** Returns a message with a button. `confirms`: whether its link is the one to open. */
function draftOfButton({ subject, before, label }: Button, confirms: boolean, random: Random): Draft {
  const { brand, fill } = fillFrom(random)
  const link = linkOf(confirms ? LINKS : OTHERS, brand, random)
  const sentences = fill(before)
  const isBare = sentences !== '' && random(3) === 0
  const paragraphs = [
    escapeHtml(sentences),
    `<a href="${escapeHtml(link)}" style="background:#2456e6;color:#fff">${escapeHtml(fill(label))}</a>`,
    random(2) === 0 ? '' : brand,
  ]
  return {
    brand,
    subject: fill(subject),
    text: `${sentences}\n\n${isBare ? '' : `${fill(label)}: `}${link}\n`.trimStart(),
    html: paragraphs.flatMap((each) => (each === '' ? [] : `<p>${each}</p>`)).join('\n'),
    expect: { code: null, link: confirms ? link : null },
  }
}

/** Returns a message with a code and, below it, a button for the same purpose. */
function draftOfBoth(text: Text, shape: string, button: Button, random: Random): Draft {
  const first = draftOfText(text, shape, true, random)
  const second = draftOfButton({ ...button, before: '' }, true, random)
  return {
    ...first,
    text: `${first.text}\n${second.text}`,
    html: `${first.html}\n${second.html}`,
    expect: { code: first.expect.code, link: second.expect.link },
  }
}

/** Returns a message with a code and, below it, a link for recipients who did not request the code. */
function draftOfUnasked(text: Text, shape: string, { before, label }: Omit<Button, 'subject'>, random: Random): Draft {
  const first = draftOfText(text, shape, true, random)
  const link = linkOf(LINKS, first.brand, random)
  const anchor = `<a href="${escapeHtml(link)}">${escapeHtml(label)}</a>`
  return {
    ...first,
    text: `${first.text}\n${before} ${label}: ${link}\n`,
    html: `${first.html}\n<p>${escapeHtml(before)} ${anchor}</p>`,
  }
}

/** The sentences to use: those for training, or those that are kept for tests. */
export type Sentences = 'learned' | 'held out'

/** Every eighth sentence is kept for tests. */
const HELD_OUT = 8

const chosen = <T>(all: readonly T[], sentences: Sentences): T[] =>
  all.filter((_, i) => (i % HELD_OUT === HELD_OUT - 1) === (sentences === 'held out'))

/** Returns the messages of one language. */
function mailsOf(language: string, plain: Plain, { seed, copies, sentences }: PlainOptions): Case[] {
  const [codes, none] = [chosen(plain.codes, sentences), chosen(plain.none, sentences)]
  const [links, noneLinks] = [chosen(plain.links, sentences), chosen(plain.noneLinks, sentences)]
  const [confirm, other] = [chosen(plain.labels.confirm, sentences), chosen(plain.labels.other, sentences)]
  const { unasked: few = [] } = plain
  const unasked = Array.from({ length: MAILS.unasked }, (_, i) => few[i % few.length]).filter(
    (each) => each !== undefined,
  )
  const share = randomFrom([...language].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), seed))
  const random: Random = (below) => Math.floor(share() * below)
  const shapeOf = (shapes: readonly string[], i: number, copy: number): string =>
    shapes[(i + copy * 7 + seed * 3 + language.length) % shapes.length] as string
  const drafts = Array.from({ length: copies }, (_, copy) => [
    ...codes.map((text, i) => draftOfText(text, shapeOf(SHAPES, i, copy), true, random)),
    ...none.map((text, i) => draftOfText(text, shapeOf(OTHER_SHAPES, i, copy), false, random)),
    ...links.map((button) => draftOfButton(button, true, random)),
    ...noneLinks.map((button) => draftOfButton(button, false, random)),
    ...confirm.map((label) => draftOfLabel(label, true, random)),
    ...other.map((label) => draftOfLabel(label, false, random)),
    ...links
      .slice(0, MAILS.both)
      .map((button, i) => draftOfBoth(pick(codes, random), shapeOf(SHAPES, i, copy), button, random)),
    ...codes
      .filter(({ text }) => text.length < SUBJECT_LENGTH && !text.includes('\n'))
      .slice(0, MAILS.repeated)
      .map(({ text }, i) =>
        draftOfText({ subject: text, text }, shapeOf(SHAPES, i + MAILS.repeated, copy), true, random),
      ),
    ...confirm.slice(0, MAILS.subjects).map((subject) => draftOfSubject(subject, links, random)),
    ...Array.from({ length: MAILS.crossed }, () =>
      draftOfButton({ ...pick(links, random), label: pick(links, random).label }, true, random),
    ),
    ...unasked.map((each, i) =>
      draftOfUnasked(pick(codes, random), shapeOf(SHAPES, i + MAILS.both, copy), each, random),
    ),
  ]).flat()
  return drafts.map(({ brand, subject, text, html, expect }, i) => {
    const parts = pick(['text', 'text', 'html', 'both'], random)
    return {
      name: `plain ${i}`,
      language,
      independent: false,
      nearMiss: false,
      weight: WEIGHTS.real,
      subject,
      fromName: random(3) === 0 ? pick(NAMES, random) : brand,
      fromAddress: `no-reply@${hostOf(brand)}`,
      text: parts === 'html' ? null : text,
      html: parts === 'text' ? null : html,
      expect,
    }
  })
}

interface PlainOptions {
  /** Chooses codes, brands, names and markup. */
  seed: number
  /** How many messages are made from each sentence. */
  copies: number
  sentences: Sentences
}

/**
 * Returns short messages about codes and links in each language, made from the sentences in
 * `test/fixtures/finder/plain`.
 */
export function plainMails(options: PlainOptions): Case[] {
  const directory = join(import.meta.dirname, '../../../test/fixtures/finder/plain')
  return globSync('*.json', { cwd: directory })
    .toSorted()
    .flatMap((file) =>
      mailsOf(basename(file, '.json'), JSON.parse(readFileSync(join(directory, file), 'utf8')) as Plain, options),
    )
}
