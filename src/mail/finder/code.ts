import { type Candidate, candidatesIn } from './candidates.ts'
import { Line } from './lines.ts'
import { FOREIGN_NUMBER, PURPOSE, SURE, TRADE, UNIT } from './words/words.ts'

/** The most characters between a code word and a code after it, or before it. */
const REACH_AFTER = 90
const REACH_BEFORE = 70
/** A code with letters must directly follow its word: `code: X7K9QP`. */
const REACH_MIXED = 24
/** Six digits shortly after a code word: "code is 482913". */
const REACH_PLAIN = 5
const FIRST_WORD = 12
const LINES_BEFORE = 3
const LINES_AFTER = 2
/** A message with more candidates is a table. */
const MAX_CANDIDATES = 200

/** Whether a line contains nothing but the candidate and punctuation. */
function isAlone({ text }: Line, { start, end }: Candidate): boolean {
  return !/[\p{L}\d]/u.test(text.slice(0, start) + text.slice(end))
}

/** `Total: $12.49`, `訂單編號：482913` */
const LABELLED = /^([^:：]{1,40})[:：](.*)$/u
const PER_CENT = /\d\s?[%٪]|[%٪]\d/
const MONEY = /\p{Sc}\s?\d|\d\s?\p{Sc}|\d\s?(?:円|元|원|zł|kr|lei|руб|грн|ريال|روپے|ብር|ကျပ်|រៀល)/u

/**
 * Whether a line belongs to a record, such as a PIN among the numbers of an order or a meeting, or an authorization
 * code among those of a payment. Banks do list a one-time password among the numbers of the payment that it confirms,
 * so among numbers a label must name the purpose.
 */
function isInRecord(lines: readonly Line[], at: number, subject: Line): boolean {
  const [, label = '', own = ''] = LABELLED.exec(lines[at]?.lower ?? '') ?? []
  if (own === '') return false
  if (subject.trade || TRADE.test(label)) return true
  const sure = SURE.test(label)
  const named = sure || PURPOSE.test(label)
  let values = 0
  for (const [i, { lower }] of lines.slice(Math.max(0, at - 3), at + 4).entries()) {
    const [, other = '', value = ''] = LABELLED.exec(lower) ?? []
    if (TRADE.test(other) || (!sure && MONEY.test(value))) return true
    if (i + Math.max(0, at - 3) !== at) values += /\d{4}/.test(value) ? 2 : /\d/.test(value) ? 1 : 0
  }
  return !named && values > 1
}

/**
 * Whether a number is an order, a telephone number or an amount, by the word before it or the unit after it. `text` is
 * in lower case.
 */
const isForeign = (text: string, { start, end }: Candidate): boolean =>
  UNIT.test(text.slice(end, end + 30)) || FOREIGN_NUMBER.test(text.slice(Math.max(0, start - 40), start))

/** Returns the weight of a candidate in a sentence. 0 if it is not a code. */
function inSentence(line: Line, candidate: Candidate, around: readonly Line[], traded: boolean): number {
  const { sentence, from } = line.sentenceAt(candidate.start, candidate.end)
  if (sentence.trade || PER_CENT.test(sentence.text)) return 0
  const start = candidate.start - from
  const end = candidate.end - from
  const purpose = sentence.purpose || around.some((other) => other.purpose && !other.trade)
  for (const word of sentence.words.toReversed()) {
    const before = word.end <= start
    const gap = before ? sentence.text.slice(word.end, start) : sentence.text.slice(end, word.start)
    if (word.start < end && word.end > start) continue
    // "Your code is 482913" does not name a purpose, but is obviously a code.
    const plainly =
      !traded && before && gap.length <= REACH_PLAIN && candidate.kind === 'digits' && candidate.value.length === 6
    if (gap.length > (before ? REACH_AFTER : REACH_BEFORE) || !(purpose || plainly)) continue
    if (candidatesIn(gap).some((other) => other.kind !== 'letters' && !isForeign(gap.toLowerCase(), other))) continue
    const direct = before && (/[:：=»>-]\s*["'“«([]?$/.test(gap) || gap.trim() === '')
    if (candidate.kind === 'mixed' && !direct && gap.length > REACH_MIXED) continue
    if (candidate.kind === 'letters' && !/[:：]/.test(gap)) continue
    // Prefers the nearer one of two candidates.
    return (direct ? 5 : 4) - gap.length / 1000
  }
  // "Use 482913 to verify your account" has no code word but no other number either. Further right it may be a
  // postcode.
  const six = candidate.kind === 'digits' && candidate.value.length === 6
  return six && start <= FIRST_WORD && sentence.purpose && candidatesIn(sentence.text).length === 1 ? 2 : 0
}

/** Whether a line is in a list of codes, such as backup codes. None of them is the one-time code. */
const isListed = (lines: readonly Line[], at: number): boolean =>
  [lines[at - 1], lines[at + 1]].some((line) => {
    const [other] = line ? candidatesIn(line.text) : []
    return line !== undefined && other !== undefined && isAlone(line, other) && line.text !== lines[at]?.text
  })

/** Returns the weight of a candidate that is alone on its line. 0 if it is not a code. */
function onOwnLine(lines: readonly Line[], at: number, { kind }: Candidate, subject: Line): number {
  if (isListed(lines, at)) return 0
  const before = lines.slice(Math.max(0, at - LINES_BEFORE), at).toReversed()
  const after = lines.slice(at + 1, at + 1 + LINES_AFTER)
  // "Your code for Quay. Type this code in the app:" does not name a purpose, but names a code in the subject and in
  // the line before.
  const twice = kind === 'digits' && subject.words.length > 0 && !subject.trade && (before[0]?.words.length ?? 0) > 0
  if (!twice && ![subject, ...before, ...after].some((line) => line.purpose && !line.trade)) return 0
  for (const [i, line] of before.entries()) {
    if (line.trade || (kind === 'letters' && i > 0)) return 0
    if (line.words.length > 0) return 7 - i
    if (i === 0 && kind === 'digits' && /[:：]$/.test(line.text) && line.purpose) return 3
  }
  if (kind === 'letters') return 0
  const behind = after.findIndex((line) => line.words.length > 0 && !line.trade)
  if (behind !== -1) return 4 - behind
  return subject.words.length > 0 && !subject.trade ? 3 : 0
}

/**
 * Returns the one-time code of a message, or null. Every candidate is weighted by its position and the words around it.
 * If two candidates have the same weight, the more frequent one wins, or none if they are equally frequent.
 */
export function findCode(subject: Line, lines: readonly Line[]): string | null {
  const weights = new Map<string, { weight: number; times: number }>()
  const traded = [subject, ...lines].some(({ trade }) => trade)
  let candidateCount = 0
  for (const [i, line] of [subject, ...lines].entries()) {
    const around = [subject, ...lines.slice(Math.max(0, i - 3), i + 1)]
    for (const candidate of candidatesIn(line.text)) {
      if (++candidateCount > MAX_CANDIDATES) return null
      if (isForeign(line.lower, candidate) || (i > 0 && isInRecord(lines, i - 1, subject))) continue
      const { value } = candidate
      const alone = i > 0 && isAlone(line, candidate)
      const weight = alone ? onOwnLine(lines, i - 1, candidate, subject) : inSentence(line, candidate, around, traded)
      if (weight === 0) continue
      const known = weights.get(value) ?? { weight: 0, times: 0 }
      weights.set(value, { weight: Math.max(known.weight, weight), times: known.times + 1 })
    }
  }
  const [best, second] = [...weights].toSorted(([, a], [, b]) => b.weight - a.weight || b.times - a.times)
  if (!best) return null
  const tied = second && second[1].weight === best[1].weight && second[1].times === best[1].times
  return tied ? null : best[0]
}
