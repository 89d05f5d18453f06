import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Case, WEIGHTS } from './corpus.ts'
import { randomFrom } from './net.ts'

/** Sentences of short mails in one language. `{code}`, `{n}`, `{brand}` and `{name}` are placeholders. */
interface Plain {
  codes: Text[]
  links: Button[]
  /** Texts with a number `{n}` that is not a code. */
  none: Text[]
  /** Buttons whose link confirms nothing. */
  noneLinks: Button[]
  /** Links below a code, for readers who did not request it. */
  unasked?: Omit<Button, 'subject'>[]
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

/** How codes are written: `9` is a digit, `X` a capital or a digit, `L` a capital, `x` a lower-case letter or a digit. */
const SHAPES = [
  '999999',
  'XXXXXX',
  '9999',
  '999999',
  'XXXX-XXXX',
  '99999999',
  '999 999',
  'XXXXXXXX',
  '999999',
  'XXX-XXX',
  '99999',
  '999-999',
  'LLLLLL',
  '9999',
  'xxxxxxxx',
  'G-999999',
  '999999',
  'L9L9L9L9',
  '9999999',
  'XXXXX-XXXXX',
]
/** Shapes of numbers that are not codes. */
const OTHER_SHAPES = SHAPES.filter((shape) => !shape.startsWith('G'))
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const ALPHABETS: Record<string, string> = {
  '9': '0123456789',
  L: LETTERS,
  X: `${LETTERS}23456789`,
  x: `${LETTERS.toLowerCase()}23456789`,
}

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

/** URLs of confirmation links. `H` stands for the host, `T` for a token. */
const LINKS = [
  'https://H/verify?token=T',
  'https://H/accounts/confirm-email/T/',
  'https://H/users/confirmation?confirmation_token=T',
  'https://H/auth/v1/verify?token=T&type=signup',
  'https://click.H/ls/click?upn=T',
  'https://H/u/activate/T',
  'https://H/a/T',
  'http://localhost:3000/confirm?code=T',
  'https://H/wp-login.php?action=rp&key=T&login=anna',
  'https://H/r/T?utm_source=mail',
  'https://H/email/verify/12/T?expires=1790000000&signature=T',
  'http://192.168.1.20:8080/signup/confirm/T',
]
/** URLs of links that confirm nothing. */
const OTHERS = [
  'https://H/orders/48213',
  'https://click.H/ls/click?upn=T',
  'https://H/t/T',
  'https://H/view?id=T',
  'https://H/',
  'https://H/posts/summer-news?utm_source=mail',
  'https://H/account/invoices/T.pdf',
  'https://H/unsubscribe?u=T',
]
const TOKEN_LENGTHS = [10, 22, 32, 43]

type Random = (below: number) => number

const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)] as T

/** Returns a random value of a shape, with a letter and a digit if the shape has room for both. */
function valueOf(shape: string, random: Random): string {
  const value = shape.replace(/[9LXx]/g, (sign) => pick([...(ALPHABETS[sign] ?? '')], random))
  if (!/X/i.test(shape)) return value
  const first = /x/.test(shape) ? 'k' : 'K'
  return /\d/.test(value) && /\p{L}/u.test(value) ? value : `${first}${value.slice(1, -1)}7`
}

/** Returns the code as a person types it: digits without separators, and without the prefix `G-`. */
const copied = (code: string): string =>
  /^\d[\d -]*$/.test(code) ? code.replace(/\D/g, '') : code.replace(/^G-(?=\d+$)/, '')

function tokenOf(random: Random): string {
  const signs = 'abcdefghijklmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789'
  return Array.from({ length: pick(TOKEN_LENGTHS, random) }, () => signs[random(signs.length)]).join('')
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Returns a text as paragraphs of HTML, with the code or number of the mail in some markup. */
function htmlOf(text: string, code: string, random: Random): string {
  const style = random(4)
  const paragraphs = text.split('\n\n').map((paragraph) => {
    if (paragraph === code) {
      if (style === 0 && /^\w+$/.test(code)) return random(2) === 0 ? boxes(code) : spans(code)
      return pick(BLOCKS, random)(code)
    }
    return `<p>${escaped(paragraph).replaceAll('\n', '<br>').replace(code, pick(MARKUPS, random))}</p>`
  })
  const body = paragraphs.join('\n')
  return style === 1 ? `<table width="100%"><tr><td align="center">${body}</td></tr></table>` : body
}

/** How many mails of each language have a code and a link, and a code and a link for readers who did not request it. */
const [BOTH, UNASKED] = [6, 6]

/** A mail with both parts. One of them may be left out later. */
interface Draft {
  brand: string
  subject: string
  text: string
  html: string
  expect: Case['expect']
}

const hostOf = (brand: string): string => `${brand.toLowerCase().replace(' ', '-')}.example`

/** Chooses a brand and a name. Returns the brand, and a function that inserts both into a text. */
function fillFrom(random: Random): { brand: string; fill: (text: string) => string } {
  const [brand, name] = [pick(BRANDS, random), pick(NAMES, random)]
  return { brand, fill: (text) => text.replaceAll('{brand}', brand).replaceAll('{name}', name) }
}

/** Returns a mail with a random value of the given shape: its code, or a number that is not a code. */
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

/** Returns a mail with a button. `confirms`: whether its link is the one to open. */
function draftOfButton({ subject, before, label }: Button, confirms: boolean, random: Random): Draft {
  const { brand, fill } = fillFrom(random)
  const link = pick(confirms ? LINKS : OTHERS, random)
    .replace('H', hostOf(brand))
    .replaceAll('T', tokenOf(random))
  const sentences = fill(before)
  const isBare = sentences !== '' && random(3) === 0
  const paragraphs = [
    escaped(sentences),
    `<a href="${escaped(link)}" style="background:#2456e6;color:#fff">${escaped(fill(label))}</a>`,
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

/** Returns a mail with a code and, below it, a button for the same purpose. */
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

/** Returns a mail with a code and, below it, a link for readers who did not request the code. */
function draftOfUnasked(text: Text, shape: string, { before, label }: Omit<Button, 'subject'>, random: Random): Draft {
  const first = draftOfText(text, shape, true, random)
  const { link } = draftOfButton({ subject: '', before, label }, true, random).expect
  const anchor = `<a href="${escaped(link ?? '')}">${escaped(label)}</a>`
  return {
    ...first,
    text: `${first.text}\n${before} ${label}: ${link}\n`,
    html: `${first.html}\n<p>${escaped(before)} ${anchor}</p>`,
  }
}

/** The sentences to use: those for training, or those that are kept for tests. */
export type Sentences = 'learned' | 'held out'

/** Every eighth sentence is kept for tests. */
const HELD_OUT = 8

const chosen = <T>(all: readonly T[], sentences: Sentences): T[] =>
  all.filter((_, i) => (i % HELD_OUT === HELD_OUT - 1) === (sentences === 'held out'))

/** Returns the mails of one language. */
function mailsOf(language: string, plain: Plain, { seed, copies, sentences }: PlainOptions): Case[] {
  const [codes, none] = [chosen(plain.codes, sentences), chosen(plain.none, sentences)]
  const [links, noneLinks] = [chosen(plain.links, sentences), chosen(plain.noneLinks, sentences)]
  const { unasked: few = [] } = plain
  const unasked = Array.from({ length: UNASKED }, (_, i) => few[i % few.length]).filter((each) => each !== undefined)
  const share = randomFrom([...language].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), seed))
  const random: Random = (below) => Math.floor(share() * below)
  const shapeOf = (shapes: readonly string[], i: number, copy: number): string =>
    shapes[(i + copy * 7 + seed * 3 + language.length) % shapes.length] as string
  const drafts = Array.from({ length: copies }, (_, copy) => [
    ...codes.map((text, i) => draftOfText(text, shapeOf(SHAPES, i, copy), true, random)),
    ...none.map((text, i) => draftOfText(text, shapeOf(OTHER_SHAPES, i, copy), false, random)),
    ...links.map((button) => draftOfButton(button, true, random)),
    ...noneLinks.map((button) => draftOfButton(button, false, random)),
    ...links
      .slice(0, BOTH)
      .map((button, i) => draftOfBoth(pick(codes, random), shapeOf(SHAPES, i, copy), button, random)),
    ...unasked.map((each, i) => draftOfUnasked(pick(codes, random), shapeOf(SHAPES, i + BOTH, copy), each, random)),
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

export interface PlainOptions {
  /** Chooses codes, brands, names and markup. */
  seed: number
  /** How many mails are made from each sentence. */
  copies: number
  sentences: Sentences
}

/** Returns short mails about codes and links in each language, made from the sentences in `test/fixtures/finder/plain`. */
export function plainMails(options: PlainOptions): Case[] {
  const directory = join(import.meta.dirname, '../../../test/fixtures/finder/plain')
  return globSync('*.json', { cwd: directory })
    .toSorted()
    .flatMap((file) =>
      mailsOf(basename(file, '.json'), JSON.parse(readFileSync(join(directory, file), 'utf8')) as Plain, options),
    )
}
