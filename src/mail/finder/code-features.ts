import type { Candidate } from './candidates.ts'
import type { Line, Word } from './lines.ts'
import type { Looks } from './looks.ts'
import { firstWords, lastWords } from './near-words.ts'
import { lookFeatures, shapeFeatures } from './shape-features.ts'
import { bitsOf } from './words/scan.ts'
import { firstBefore, hasBetween, isAccountBefore, isForeignNumber, isUnitBehind, isUserBefore } from './words/words.ts'

/** Lines above and below a candidate that are looked at. */
const LINES_ABOVE = 3
const LINES_BELOW = 2

/** An amount of money. */
export const MONEY =
  /\p{Sc}\s?\d|\d\s?\p{Sc}|\d\s?(?:円|元|원|zł|kr|kč|ft|lei|лв|руб|грн|usd|eur|gbp|inr|ريال|روپے|ብር|ကျပ်|រៀល)|(?:usd|eur|gbp|inr|rs\.?|rp)\s?\d/u
const PHONE = /\+\d|☎|📞|\(\d{2,4}\)\s?\d/u
/** `is`, directly before a code: "the code for your payment of 12.50 EUR is 604218". */
const IS =
  /(?<!\p{L})(?:is|ist|lautet|es|est|è|é|este|er|är|on|je|jest|to|là|la|adalah|ialah|ni|είναι|einai|це|е|هو|هي|است|هست|है|হল|হলো|ఇది|છે|คือ|គឺ|은|는|は|为|是|為)\s?[:：]?\s?["'“«「【]?$/u

/** `is your`, directly after a code: "604218 is your Quay code". */
const IS_BEHIND =
  /^\s?(?:is|ist|es|est|è|é|este|er|är|on|je|jest|là|la|adalah|ialah|ni|είναι|е|це|هو|هي|است|هست|—|–|-|:)\s/u

/** Characters between a word and a candidate: 0 touching, then nearer and farther. */
const distance = (gap: number): string =>
  gap <= 3 ? 'at' : gap <= 12 ? 'near' : gap <= 40 ? 'mid' : gap <= 90 ? 'far' : 'out'

/** Where a candidate stands. */
export interface Place {
  lines: readonly Line[]
  /** Index of the line; -1 is the subject. */
  at: number
}

/** Facts about the whole message. */
export interface MailFacts {
  subject: Line
  /** Whether a text names the sender. */
  isSender: (text: string) => boolean
  features: string[]
  looks: Looks
  /** The hidden text at the beginning. */
  preheader: Line
}

function isAlone({ text }: Line, { start, end }: Candidate): boolean {
  return !/[\p{L}\d]/u.test(text.slice(0, start) + text.slice(end))
}

/** Returns whether a part of a sentence has another number or code that is not named as something else. */
const hasOther = ({ candidates, reading }: Line, from: number, to: number): boolean =>
  candidates.some(
    ({ start, end }) => start >= from && end <= to && !isForeignNumber(reading, start, Math.max(from, start - 40)),
  )

/**
 * Characters before a candidate in which "old" or "previous" refers to it. Behind it and around code words, twice as
 * many.
 */
const OLD_GAP = 12
const OLD = bitsOf('old')
/** The maximum number of characters between the words for the code of a document and the candidate. */
const DOCUMENT_GAP = 25
/** Characters around a candidate in which its purpose is stated: "Confirm with 482913", "482913 lets you in". */
const PURPOSE_GAP = 25
const ENTER = bitsOf('enter')
const PURPOSE = bitsOf('verify', 'login')
const PASSWORD = bitsOf('password')
const TEMPORARY = bitsOf('temporary')

/** Returns whether a line mentions an old code before a position: "your earlier code", "Ihr bisheriger Code". */
const saysOldCode = ({ words, reading }: Line, to: number): boolean =>
  words.some(
    ({ start, end }) => end <= to && hasBetween(reading, OLD, start - 2 * OLD_GAP, Math.min(to, end + 2 * OLD_GAP)),
  )

/** Adds what the sentence says before and after the candidate. */
function sentenceFeatures(line: Line, candidate: Candidate, mail: MailFacts, add: (feature: string) => void): void {
  const { sentence, from } = line.sentenceAt(candidate.start, candidate.end)
  const start = candidate.start - from
  const end = candidate.end - from
  if (sentence.trade) add('sentence trade')
  if (sentence.percent) add('sentence percent')
  const money = MONEY.test(sentence.lower)
  if (money) add('sentence money')
  if (PHONE.test(sentence.text)) add('sentence phone')
  if (sentence.purpose) add('sentence purpose')
  if (sentence.care) add('sentence care')
  for (const about of sentence.about) add(`sentence ${about}`)
  for (const topic of sentence.topics) add(`sentence ${topic}`)
  if (start <= 12) add('sentence first')
  if (end >= sentence.text.length - 3) add('sentence last')
  for (const word of sentence.otherWords) {
    const gap = start - word.end
    add(gap < 0 ? 'other code after' : gap <= 12 ? 'other code before, near' : 'other code before')
    if (word.document && gap >= 0 && gap <= DOCUMENT_GAP) add('document code before')
  }
  if (hasBetween(sentence.reading, OLD, start - OLD_GAP, start)) add('old before')
  else if (saysOldCode(sentence, start)) add('old code before')
  if (hasBetween(sentence.reading, OLD, end, end + 2 * OLD_GAP)) add('old behind')
  const lead = sentence.text.slice(0, start)
  const tail = sentence.text.slice(end)
  const digits = /^d\d/.test(candidate.shape)
  if (hasBetween(sentence.reading, ENTER, start - 30, start)) {
    add('enter before')
    if (digits) add(mail.subject.words.length > 0 ? 'enter before, digits, subject code' : 'enter before, digits')
  }
  if (hasBetween(sentence.reading, ENTER, end, end + 40)) add(digits ? 'enter behind, digits' : 'enter behind')
  if (hasBetween(sentence.reading, PURPOSE, start - PURPOSE_GAP, start)) add('purpose near before')
  if (hasBetween(sentence.reading, PURPOSE, end, end + PURPOSE_GAP)) add('purpose near behind')
  if (/[“„«‚「『"”»][^“”„«»「」『』"]*$/u.test(lead.trim()) && /^[^“„«»「」『』"]*[”“»«」』"]/u.test(tail)) {
    add('quoted')
    if (/\p{L}\s/u.test(/[^“„«»‚「『"”]*$/u.exec(lead)?.[0] ?? '')) add('quoted in a phrase')
  }
  if (/[(（]$/.test(lead) && /^[)）]/.test(tail)) add('in parentheses')
  const sender = /^(.{2,40}?)\s?[:：|–—-]\s?$/u.exec(lead)?.[1]
  if (sender !== undefined && mail.isSender(sender)) {
    add('sender before')
    if (digits) add('sender before, digits')
    if (tail.trim() === '') add('sender before, nothing behind')
  }
  if (digits && mail.isSender(tail.replace(/^\s?[:：|–—-]\s?/, ''))) add('sender behind')
  if (/^\W*\p{L}+[\s:#.]{0,3}$/u.test(lead)) add('one word before')
  if (/\p{L}\s$/u.test(lead.slice(-3))) add('word touching before')
  if (IS.test(lead.slice(-20).toLowerCase())) add(sentence.words.length > 0 ? 'is before, code word' : 'is before')
  if (/[:：]\s?$/.test(lead.slice(-2))) add('colon before')
  else if (candidate.flaw === 'year') add('year in a sentence')
  let before: Word | undefined
  let after: Word | undefined
  for (const word of sentence.words) {
    if (word.end <= start) before = word
    else if (word.start >= end) after ??= word
  }
  if ((before && start - before.end <= 12) || (after && after.start - end <= 12)) add('named')
  if (before) {
    const gap = sentence.text.slice(before.end, start)
    const how = distance(gap.length)
    const sure = before.sure ? ' sure' : ''
    if (hasOther(sentence, before.end, start)) add('code word before, other between')
    else {
      add(`code word before, ${how}${sure}`)
      if (/[:：=»>-]\s*["'“«([【]?$/.test(gap) || gap.trim() === '') add('code word before, colon')
      if (/^d\d/.test(candidate.shape) && gap.length <= 12) add('code word before, digits')
    }
  }
  if (after) {
    const gap = sentence.text.slice(end, after.start)
    if (IS_BEHIND.test(gap)) {
      add('is behind, code word')
      if (mail.isSender(gap.replace(IS_BEHIND, '').replace(/^\S{1,10}\s/u, ''))) add('is behind, sender')
    }
    if (hasOther(sentence, end, after.start)) add('code word after, other between')
    else add(`code word after, ${distance(gap.length)}${after.sure ? ' sure' : ''}`)
  }
  const named = before ?? after
  const naming = named ? (named.sure ? 'sure word' : 'code word') : 'no code word'
  if (named?.sure) add('sure word')
  if (sentence.candidates.length > 1) add('others in the sentence')
  if (money) add(`money, ${naming}`)
  if (sentence.purpose) add(before || after ? 'purpose, code word' : 'purpose, no code word')
  if (sentence.trade) add(`trade, ${naming}`)
  if (!before && !after) {
    add('no code word')
    const password = firstBefore(sentence.reading, PASSWORD, start)
    if (password) {
      const gap = sentence.text.slice(password.end, start)
      const kind = digits ? ' digits' : ''
      add(`password before, ${distance(gap.length)}${/[:：=]\s*$/.test(gap) ? ' colon' : ''}${kind}`)
      if (hasBetween(sentence.reading, TEMPORARY, 0, start)) add(`temporary password before${kind}`)
    }
  }
}

/** Adds what the lines around say of a candidate that is alone on its line. */
function lineFeatures(
  { lines, at }: Place,
  { subject, isSender }: MailFacts,
  shape: string,
  add: (feature: string) => void,
): void {
  let named = false
  for (let i = 1; i <= LINES_ABOVE; i++) {
    const line = lines[at - i]
    if (!line) break
    if (line.otherWords.length > 0) add(i === 1 ? 'above 1 other code' : 'above other code')
    if (i === 1 && line.otherWords.some(({ document }) => document)) add('above 1 document code')
    if (line.words.length > 0 && !named) {
      add('named')
      add(`above ${i} code${line.words.some(({ sure }) => sure) ? ' sure' : ''}`)
      named = true
    }
    if (line.purpose) add(i === 1 ? 'above 1 purpose' : 'above purpose')
    if (line.care) add(i === 1 ? 'above 1 care' : 'above care')
    for (const about of line.about) add(i === 1 ? `above 1 ${about}` : `above ${about}`)
    if (line.trade) add(i === 1 ? 'above 1 trade' : 'above trade')
    for (const topic of line.topics) add(i === 1 ? `above 1 ${topic}` : `above ${topic}`)
    const kind = /^d\d/.test(shape) ? ', digits' : ''
    if (i === 1 && line.password && line.words.length === 0) add(`above 1 password${kind}`)
    if (i === 1 && line.temporary) add(`above 1 temporary password${kind}`)
    if (i === 1 && line.enter) add('above 1 enter')
    if (i === 1 && saysOldCode(line, line.text.length)) add('above 1 old code')
    if (i === 1 && isUserBefore(line.reading, line.text.length)) add('above 1 user')
    if (i === 1 && isSender(line.text)) add('above 1 sender')
    if (i === 1 && /[:：]$/.test(line.text)) add('above 1 colon')
  }
  let below = false
  for (let i = 1; i <= LINES_BELOW; i++) {
    const line = lines[at + i]
    if (!line) break
    if (line.words.length > 0 && !below) {
      add(`below ${i} code${line.words.some(({ sure }) => sure) ? ' sure' : ''}`)
      below = true
    }
    if (line.purpose) add('below purpose')
    if (line.care) add('below care')
    for (const about of line.about) add(`below ${about}`)
    if (line.trade) add('below trade')
    for (const topic of line.topics) add(`below ${topic}`)
  }
  if (!named && subject.words.length > 0) add('subject code, none above')
}

/** Adds whether the line is one of several labeled values, as in an order, a meeting or a payment. */
function recordFeatures({ lines, at }: Place, add: (feature: string) => void): void {
  const own = lines[at]?.labeled
  if (!own || own.value === '') return
  add('labeled')
  if (own.label.trade) add('label trade')
  for (const topic of own.label.topics) add(`label ${topic}`)
  let values = 0
  let foreign = false
  for (let i = Math.max(0, at - 3); i <= Math.min(lines.length - 1, at + 3); i++) {
    if (i === at) continue
    const other = lines[i]?.labeled
    if (!other) continue
    if (other.label.trade || MONEY.test(other.value)) foreign = true
    if (/\d/.test(other.value)) values++
  }
  if (values > 1) add('record')
  if (foreign) add('record of trade')
}

/** Returns whether a line next to this one has only another candidate, as in a list of backup codes. */
function isListed({ lines, at }: Place): boolean {
  return [lines[at - 1], lines[at + 1]].some((line) => {
    const [other] = line?.candidates ?? []
    return line !== undefined && other !== undefined && isAlone(line, other) && line.text !== lines[at]?.text
  })
}

/** Returns the words around a candidate as features: of its sentence, and of the line above if it is alone. */
export function wordsAround({ lines, at }: Place, line: Line, candidate: Candidate): string[] {
  const { sentence, from } = line.sentenceAt(candidate.start, candidate.end)
  const above = isAlone(line, candidate) ? (lines[at - 1]?.lower ?? '') : ''
  return [
    ...lastWords(line.lower.slice(from, candidate.start), 3, 'before'),
    ...firstWords(line.lower.slice(candidate.end, from + sentence.text.length), 3, 'behind'),
    ...lastWords(above, 4, 'above'),
  ]
}

/** Returns the names of the features of a candidate, its line and its message. */
export function featuresOf(place: Place, line: Line, candidate: Candidate, mail: MailFacts): Set<string> {
  const features = new Set<string>()
  const add = (feature: string): void => void features.add(feature)
  const { start, end, shape, value } = candidate
  shapeFeatures(candidate, line.text, add)
  for (const feature of mail.features) add(feature)
  if (isAccountBefore(line.reading, start)) add('account before')
  else if (isForeignNumber(line.reading, start)) add('foreign before')
  if (isUserBefore(line.reading, start)) add('user before')
  if (line.footer) add('footer line')
  if (isUnitBehind(line.reading, end)) add('unit behind')
  const look = lookFeatures(mail.looks, value, add)
  if (mail.preheader.candidates.some((other) => other.value === value)) add('in preheader')
  if (place.at === -1) {
    add('in subject')
    if (isAlone(line, candidate)) add('whole subject')
  }
  const alone = place.at >= 0 && isAlone(line, candidate)
  if (alone) {
    add('alone')
    if (isListed(place)) add('listed')
    lineFeatures(place, mail, shape, add)
    if (look) add('alone emphasized')
    if (shape === 'd6') add('alone d6')
  } else {
    sentenceFeatures(line, candidate, mail, add)
    if (place.at >= 0) {
      recordFeatures(place, add)
      const above = place.lines[place.at - 1]
      if (above && above.words.length > 0) add('line above code')
      if (above?.trade) add('line above trade')
    }
    if (/^[\p{L}\p{N} .&'-]{2,30}[:：]\s?$/u.test(line.text.slice(0, start))) add('brand colon')
  }
  return features
}
