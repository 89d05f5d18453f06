import { MONEY } from './code-features.ts'
import { addEvidence } from './evidence.ts'
import { Line, lineFrom } from './lines.ts'
import type { Link } from './links.ts'
import type { Row } from './model.ts'
import { firstWords, lastWords, subjectWords } from './near-words.ts'
import { rivalsOf } from './rivals.ts'
import { OPT_OUT, TOKEN, urlFeatures } from './url-features.ts'
import { bitsOf } from './words/scan.ts'

/** Words with which a label that declines begins. */
const NO =
  /^(?:no|not|don.t|i didn.t|i don.t|nein|nicht|non|não|nie|nei|nej|nee|ne|нет|не|ні|όχι|לא|لا|نه|いいえ|不|아니|hayır|không|tidak|bukan|ei|nem|nu)(?!\p{L})/u

/** Words that make a label decline wherever they stand in it. */
const DECLINES =
  /ablehn|abzulehnen|reject|declin|deny|block|refus|rechaz|recus|rifiut|weiger|avvis|avböj|odrzu|odmít|elutas|отклон|відхил|отхвърл|απόρρ|拒绝|拒絕|拒否|거부|거절|رفض|דחה|reddet|tolak|từ chối|ปฏิเสธ|अस्वीकार/u

/** Characters of text before a link that describe it. */
const NEAR = 110

const ACTS = bitsOf('verify', 'password', 'join')
const ACTS_OR_LOGIN = ACTS | bitsOf('login')
/** A link deletes, cancels or pays for something if its label has one of these meanings. */
const HARMS = bitsOf('undo', 'payment')
/** What the label of a side link may mean: help, canceling, newsletters. */
const ASIDE = bitsOf('quiet', 'notMe', 'undo', 'news')

const SAID = [
  'verify',
  'password',
  'join',
  'login',
  'quiet',
  'trade',
  'alert',
  'unasked',
  'undo',
  'payment',
  'account',
] as const

/** Adds what a text means, and returns whether it asks to verify, to join or to set a password. */
function wordsOf(prefix: string, line: Line, add: (feature: string) => void): boolean {
  for (const meaning of SAID) if (line.has(meaning)) add(`${prefix} ${meaning}`)
  if (line.has('notMe')) add(`${prefix} not me`)
  for (const topic of line.topics) add(`${prefix} ${topic}`)
  return line.hasAny(ACTS)
}

function parsed(url: string): URL | undefined {
  try {
    return new URL(url)
  } catch {
    return undefined
  }
}

/** Returns the part of a URL that links to the same place have in common: the host and the first part of the path. */
const placeOf = (url: string): string => /^https?:\/\/[^/?#]+(?:\/[^/?#]*)?/i.exec(url)?.[0] ?? url

const SENTENCE = ['unasked', 'undo', 'notMe', 'verify', 'password', 'join', 'login', 'alert', 'trade'] as const

/** Returns the sentence in which a link stands. */
const sentenceOf = ({ own, label, after }: Link): string =>
  `${own.split(/[.!?](?:\s|$)|[。！？।]/).at(-1) ?? ''} ${label} ${after}`

/** Features that distinguish one link from the others. */
const SIGNS = [
  'url token',
  'random part',
  'url action',
  'own domain',
  'repeated',
  'button',
  'label verify',
  'label yes',
  'label join',
  'label password',
  'label login',
  'label go',
  'before verify',
  'before login',
  'own place',
  'label undo',
  'url undo',
  'alone in its block',
]

/** Returns whether a link is unique to one recipient and its label is not one for help, terms or unsubscribing. */
const hasOwnToken = (url: string, label: Line): boolean => TOKEN.test(url.slice(8)) && !label.has('quiet')

/** Whether an image is a logo or a picture, and not a button with text. */
const isPicture = ({ image }: Link, label: Line): boolean => image && !label.hasAny(ACTS_OR_LOGIN)

/** Returns whether a link is a side link: a logo, help, unsubscribing, declining. */
const isAside = (link: Link, label: Line): boolean =>
  isPicture(link, label) ||
  label.hasAny(ASIDE) ||
  NO.test(label.lower) ||
  DECLINES.test(label.lower) ||
  OPT_OUT.test(link.url)

/** Returns the last two labels of a host. */
function domainOf(host: string): string {
  const last = host.lastIndexOf('.')
  return last > 0 ? host.slice(host.lastIndexOf('.', last - 1) + 1) : host
}

/** What else the features of a link need to know about its message. */
interface MailInfo {
  /** Features of the whole message. */
  about: () => readonly string[]
  fromAddress: string
  /** The visible text of its HTML. */
  visible: string
  /** The links of its HTML, if these are the links of its text part. */
  others?: readonly Link[]
}

/** Returns the candidates for the link of the message, each with its features. */
export function linkRows(
  subject: Line,
  links: readonly Link[],
  { about: mail, fromAddress, visible, others = [] }: MailInfo,
): Row[] {
  if (links.length === 0) return []
  const rows: Row[] = []
  /** The words of each row. They are added to the features at the end. */
  const words: string[][] = []
  const title = subjectWords(subject)
  const times = new Map<string, number>()
  for (const { url } of links) times.set(url, (times.get(url) ?? 0) + 1)
  const about = [...mail()]
  if (subject.purpose) about.push('subject purpose')
  if (subject.trade) about.push('subject trade')
  wordsOf('subject', subject, (feature) => about.push(feature))
  about.push(
    times.size === 1 ? 'only link' : times.size <= 3 ? 'few links' : times.size <= 8 ? 'some links' : 'many links',
  )
  // Many links of a message have the same label or the same words before them.
  const known = new Map<string, Line>()
  const tokens = new Set(
    links.filter(({ url, label }) => hasOwnToken(url, lineFrom(known, label))).map(({ url }) => url),
  )
  const bare = new Set(links.filter(({ label }) => label === '').map(({ url }) => url))
  const longest = Math.max(0, ...links.map(({ url }) => url.length))
  const sender = domainOf(fromAddress.replace(/^.*@/, ''))
  const buttons = new Set(links.filter(({ button }) => button).map(({ url }) => url)).size
  const shown = new Set(others.map(({ url }) => url))
  let firstButton = true
  const main = [...new Set(links.filter((link) => !isAside(link, lineFrom(known, link.label))).map(({ url }) => url))]
  const hosts = new Set(links.map(({ url }) => parsed(url)?.hostname))
  if (times.size >= 3) about.push(hosts.size === 1 ? 'one host' : hosts.size === 2 ? 'two hosts' : 'several hosts')
  /** Whether a link for help or unsubscribing came before: the rest is the footer. */
  let footer = false
  const places = new Map<string, Set<string>>()
  for (const { url } of links) {
    const place = placeOf(url)
    places.set(place, (places.get(place) ?? new Set()).add(url))
  }
  for (const [i, link] of links.entries()) {
    const features = new Set(about)
    const add = (feature: string): void => void features.add(feature)
    const url = parsed(link.url)
    if (!url || !urlFeatures(url, add)) continue
    const label = lineFrom(known, link.label)
    const acts = wordsOf('label', label, add)
    const before = lineFrom(known, link.before.slice(-NEAR))
    const says = wordsOf('before', before, add)
    const sentence = lineFrom(known, sentenceOf(link))
    for (const meaning of SENTENCE) if (sentence.has(meaning)) add(`sentence ${meaning}`)
    if (!link.button && link.own !== '' && link.label !== '') add('inline')
    if (link.after !== '') wordsOf('after', lineFrom(known, link.after), add)
    if (link.label === '') add('no label')
    else if (link.label.length < 40) add('short label')
    if (others.length > 0) add(shown.has(link.url) ? 'also in the HTML' : 'not in the HTML')
    if (link.button) {
      add('button')
      if (firstButton) add('first button')
      firstButton = false
    }
    if (i === 0) add('first link')
    if (isPicture(link, label)) add('image')
    if (link.label !== '' && link.own === '' && link.after === '') add('alone in its block')
    if (footer) add('below a quiet link')
    if (label.has('quiet')) footer = true
    const at = main.indexOf(link.url)
    if (at >= 0) {
      add(main.length === 1 ? 'only main link' : main.length <= 3 ? 'few main links' : 'many main links')
      if (at === 0) add('first main link')
    } else add('aside')
    if (link.label !== '' && (bare.has(link.url) || visible.includes(link.url))) add('also written out')
    if (places.size > 1) add(places.get(placeOf(link.url))?.size === 1 ? 'own place' : 'place of several')
    if (link.url.length === longest) add('longest url')
    if (domainOf(url.hostname) === sender) add('own domain')
    if ((times.get(link.url) ?? 0) > 1) add('repeated')
    const yes = label.has('yes')
    if (yes) add('label yes')
    if (label.has('go')) add('label go')
    if (MONEY.test(label.lower)) add('label money')
    if (NO.test(label.lower) || DECLINES.test(label.lower)) add('label no')
    const urlActs = features.has('url action')
    const token = features.has('url token')
    if (acts) add(token ? 'label acts, token' : 'label acts, no token')
    if (link.label === '' && says) add(token ? 'before acts, token' : 'before acts, no token')
    if (link.label !== '' && !acts && says && urlActs) add('before acts, url acts')
    const agrees = yes || label.has('verify') || label.has('join')
    if (features.has('before not me')) add(agrees ? 'not me, verify label' : 'not me, other label')
    if (features.has('mail alert') || features.has('subject alert'))
      add(agrees ? 'alert, verify label' : 'alert, other label')
    if (agrees && token) add('label agrees, token')
    if (agrees && label.has('account') && !label.hasAny(HARMS)) add('label confirms an account')
    if (tokens.has(link.url)) add(tokens.size === 1 ? 'only token' : tokens.size <= 3 ? 'few tokens' : 'many tokens')
    if (link.button) add(buttons === 1 ? 'only button' : 'button of several')
    if (features.has('label trade') && acts) add('label acts, trade')
    if (features.has('subject trade') && !acts) add('subject trade, label silent')
    if (link.label !== '' && !acts && !features.has('label login') && !features.has('label quiet'))
      add('label says nothing')
    if (features.has('label says nothing') && token && features.has('subject purpose'))
      add('label says nothing, subject purpose, token')
    if (features.has('label says nothing') && token && says) add('label says nothing, before acts, token')
    if (features.has('label quiet') && !acts) add('label quiet only')
    if (features.has('label login') && token) add('label login, token')
    if (features.has('subject purpose') && token) add('subject purpose, token')
    rows.push({ value: link.url, features, context: link.label || link.before })
    words.push([...firstWords(label.lower, 6, 'in the label'), ...lastWords(before.lower, 5, 'before'), ...title])
  }
  const rivals = rivalsOf(SIGNS, rows)
  for (const [i, { value, features }] of rows.entries()) {
    for (const feature of rivals(value)) features.add(feature)
    addEvidence('link', features)
    for (const word of words[i] ?? []) features.add(word)
  }
  return rows
}
