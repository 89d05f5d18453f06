import { SEPARATOR } from './boxes.ts'
import { type Candidate, mayHaveCandidates, withLetters, withSecrets, withWords } from './candidates.ts'
import { featuresOf, type MailFacts, type Place, wordsAround } from './code-features.ts'
import { plain } from './digits.ts'
import { addEvidence } from './evidence.ts'
import { inAny, Line } from './lines.ts'
import { type Looks, NO_LOOKS } from './looks.ts'
import type { Row } from './model.ts'
import { subjectWords } from './near-words.ts'
import { rivalsOf } from './rivals.ts'
import { textMessage } from './text-message.ts'

/** Lines above and below a candidate that tell what the message is about. */
const NEAR = 4
/** A mail with more candidates is a table. The rest is not searched. */
const MAX_CANDIDATES = 200
/** A part of a code that is split over cells: `482` above `913`. */
const SPLIT = /^(?:\d{2,5}|[A-Z0-9]{3,4})$/

/** Characters of the longest code that is split over cells. */
const MAX_SPLIT = 10

const isLike = (first: string, next: string): boolean =>
  SPLIT.test(next) && (next.length === first.length || (/^\d+$/.test(first) && /^\d+$/.test(next)))

/**
 * Returns the codes that are split over two or three cells, once if they are shown twice. `gaps`: the indexes of the lines that
 * follow an empty line. Parts of a code have the same distance.
 */
function splitCandidates(lines: readonly Line[], gaps: ReadonlySet<number>): { at: number; candidate: Candidate }[] {
  const found: { at: number; candidate: Candidate }[] = []
  for (let i = 0; i + 1 < lines.length; i++) {
    const first = lines[i]?.text ?? ''
    if (!SPLIT.test(first)) continue
    const parts = [first]
    let last = i
    for (; last + 1 < lines.length; last++) {
      const next = lines[last + 1]?.text ?? ''
      if (SEPARATOR.test(next) && parts.length === 1 && lines[last + 2]?.text.length === first.length) continue
      if (!isLike(first, next) || (parts.length > 1 && gaps.has(last + 1) !== gaps.has(i + 1))) break
      parts.push(next)
    }
    if (parts.length === 4 && parts[0] === parts[2] && parts[1] === parts[3]) parts.length = 2
    const isEven = parts.every(({ length }) => length === first.length)
    const value = parts.join(/^\d+$/.test(parts.join('')) || !lines[i + 1]?.text.includes('-') ? '' : '-')
    const isCopy = parts.length === 2 && first === parts[1] && first.length > 3
    if (
      !isCopy &&
      (parts.length === 2 || (parts.length === 3 && isEven)) &&
      /\d/.test(value) &&
      value.length <= MAX_SPLIT
    )
      found.push({ at: i, candidate: { value, start: 0, end: first.length, shape: 'split' } })
    i = last
  }
  return found
}

/** Information about a message besides its lines. */
interface MailInfo {
  /** How short texts are shown. */
  looks?: Looks
  /** Whether a text names the sender. */
  isSender?: (text: string) => boolean
  /** Whether a value is the sender's name, which is no code. */
  isName?: (value: string) => boolean
  /** Features of the whole message. */
  about?: readonly string[]
  /** The indexes of the lines that follow an empty line. */
  gaps?: ReadonlySet<number>
}

/** Returns the facts about the message as a whole. */
function mailFacts(
  subject: Line,
  all: readonly Line[],
  places: readonly { place: Place }[],
  { looks = NO_LOOKS, isSender = () => false, about = [] }: MailInfo,
): MailFacts {
  const near = new Set<Line>()
  for (const { place } of places)
    for (let at = Math.max(0, place.at - NEAR); at <= place.at + NEAR && at < all.length; at++)
      near.add(all[at] as Line)
  const lines = [...near]
  const features = [...about]
  const preheader = new Line(plain(looks.preheader))
  if (subject.words.length > 0)
    features.push(subject.words.some(({ sure }) => sure) ? 'subject sure code' : 'subject code')
  if (subject.otherWords.length > 0) features.push('subject other code')
  if (subject.purpose) features.push('subject purpose')
  if (subject.trade) features.push('subject trade')
  if (subject.care) features.push('subject care')
  if (subject.alert) features.push('subject alert')
  if (subject.percent) features.push('subject percent')
  if (lines.some(({ care }) => care)) features.push('mail care')
  if (lines.some(({ trade }) => trade)) features.push('mail trade')
  if (lines.some(({ percent }) => percent)) features.push('mail percent')
  if (lines.some(({ purpose }) => purpose)) features.push('mail purpose')
  if (lines.some(({ words }) => words.length > 0)) features.push('mail code')
  if (lines.some(({ temporary }) => temporary)) features.push('mail temporary password')
  if (lines.some(({ alert }) => alert)) features.push('mail alert')
  for (const said of subject.about) features.push(`subject ${said}`)
  for (const said of inAny(lines, 'about')) features.push(`mail ${said}`)
  for (const topic of subject.topics) features.push(`subject ${topic}`)
  for (const topic of inAny(lines, 'topics')) features.push(`mail ${topic}`)
  if (preheader.words.length > 0) features.push('preheader code')
  if (preheader.purpose) features.push('preheader purpose')
  if (preheader.trade) features.push('preheader trade')
  if (all.length <= 6) features.push('short')
  if (all.length <= 4) features.push('text message')
  if (all.length > 60) features.push('very long')
  else if (all.length > 25) features.push('long')
  return { subject, isSender, features, looks, preheader }
}

const POINTED_AT = ['named', 'emphasized', 'alone', 'enter before', 'enter behind']

/** Returns whether nothing around a candidate says that it is something else. */
const isPlausible = ({ shape, flaw, value }: Candidate, features: ReadonlySet<string>): boolean =>
  (shape === 'upper' ||
    shape === 'split' ||
    shape === 'lower letters' ||
    /^d[4-8]$/.test(shape) ||
    ((/\d/.test(value) || shape === 'dashed') && POINTED_AT.some((feature) => features.has(feature)))) &&
  flaw === undefined &&
  !features.has('foreign before') &&
  !features.has('unit behind') &&
  !features.has('sentence phone')

/** Six or more capitals without a vowel. Words have vowels, and most abbreviations are shorter. */
const RANDOM = /^[B-DF-HJ-NP-TV-XZ]{6,}$/
/** Words in capitals, or letters and digits with a dash, need one of these features to stand out. */
const TELLING = [
  'alone',
  'whole subject',
  'quoted',
  'emphasized',
  'colon before',
  'code word before, at',
  'code word before, at sure',
  'code word before, near',
  'code word before, near sure',
  'enter before',
]
const isLoose = ({ shape, value }: Candidate, features: ReadonlySet<string>): boolean =>
  ((shape === 'letters' && !RANDOM.test(value)) || (shape === 'loosely dashed' && value !== value.toUpperCase())) &&
  !TELLING.some((feature) => features.has(feature))

const hasWords = (line: Line | undefined): boolean => line !== undefined && line.words.length > 0

/** Returns all places of a message where its code may stand, with their features. */
export function codeRows(subject: Line, lines: readonly Line[], info: MailInfo = {}): Row[] {
  const places: { place: Place; line: Line; candidate: Candidate }[] = []
  const { bound, forApp, appHash } = textMessage(lines)
  const isNoCode = (value: string): boolean => value === appHash || (info.isName?.(value) ?? false)
  for (const { at, candidate } of splitCandidates(lines, info.gaps ?? new Set()))
    places.push({ place: { lines, at }, line: lines[at] as Line, candidate })
  for (let at = -1; at < lines.length && places.length < MAX_CANDIDATES; at++) {
    const line = at === -1 ? subject : (lines[at] as Line)
    if (!mayHaveCandidates(line.text)) continue
    const above = lines[at - 1]
    const namedAbove = hasWords(above)
    const password = line.password || (above?.password ?? false)
    const secrets = password || hasWords(line) || namedAbove
    const named = namedAbove || hasWords(lines[at - 2])
    const letters = withLetters(line.candidates, line.text)
    const words = named ? withWords(letters, line.text) : letters
    for (const candidate of withSecrets(words, line.text, { strong: !secrets, password }))
      if (!isNoCode(candidate.value)) places.push({ place: { lines, at }, line, candidate })
  }
  if (places.length === 0) return []
  const mail = mailFacts(subject, lines, places, info)
  const times = new Map<string, number>()
  for (const { candidate } of places) times.set(candidate.value, (times.get(candidate.value) ?? 0) + 1)
  const inSubject = new Set(places.filter(({ place }) => place.at === -1).map(({ candidate }) => candidate.value))
  const many = times.size === 1 ? 'only one' : times.size <= 3 ? 'few' : times.size > 8 ? 'many' : 'some'
  const read = places.map(({ place, line, candidate }) => ({
    place,
    line,
    candidate,
    features: featuresOf(place, line, candidate, mail),
  }))
  const plausible = new Set(
    read.filter(({ candidate, features }) => isPlausible(candidate, features)).map(({ candidate }) => candidate.value),
  )
  const first = places.find(({ place }) => place.at >= 0)?.candidate.value
  const known = read.filter(({ candidate, features }) => !isLoose(candidate, features))
  const rivals = rivalsOf(
    SIGNS,
    known.map(({ candidate: { value }, features }) => ({ value, features })),
  )
  const title = subjectWords(subject)
  return known.map(({ place, line, candidate, features }) => {
    const { value } = candidate
    features.add(many)
    features.add(place.at < 8 ? 'first lines' : place.at < 20 ? 'middle lines' : 'late lines')
    if (lines.length > 6 && place.at >= lines.length - 3) features.add('last lines')
    if (value === first) features.add('first candidate')
    if (plausible.has(value))
      features.add(plausible.size === 1 ? 'only plausible' : `plausible of ${plausible.size > 3 ? 'many' : 'few'}`)
    else features.add(plausible.size === 0 ? 'none plausible' : 'others plausible')
    if ((times.get(value) ?? 0) > 1) features.add('repeated')
    if (value === bound) features.add('bound to a site')
    if (forApp) features.add('for an app')
    if (place.at >= 0 && inSubject.has(value)) features.add('also in subject')
    for (const feature of rivals(value)) features.add(feature)
    addEvidence('code', features)
    for (const word of [...wordsAround(place, line, candidate), ...title]) features.add(word)
    return { value, features, context: line.text }
  })
}

/** Features that distinguish one candidate from the others. */
const SIGNS = [
  'd6',
  'sure word',
  'old before',
  'old behind',
  'old code before',
  'above 1 old code',
  'named',
  'emphasized',
  'largest',
  'alone',
  'in subject',
  'colon before',
  'enter before',
  'above 1 enter',
  'class of a code',
  'boxed',
  'in preheader',
]
