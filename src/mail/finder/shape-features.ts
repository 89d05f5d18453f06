import { type Candidate, isPronounceable } from './candidates.ts'
import { lookOf, type Looks } from './looks.ts'

/** A product or a model: `Reno12`, `QE55`. */
const LIKE_A_NAME = /^(?:[A-Z][a-z]{2,}\d{1,4}|[A-Z]{2,4}\d{1,2}|\d{1,2}[A-Z]{3,})$/

/** `123456`, `000000`: an example, not a code. */
const isSequence = (value: string): boolean =>
  '01234567890'.includes(value) || '9876543210'.includes(value) || /^(.)\1+$/.test(value)

/** Pixels from which a text is large. */
const LARGE = 20

/** Adds how a value is shown. Returns whether it stands out. */
export function lookFeatures(looks: Looks, value: string, add: (feature: string) => void): boolean {
  const look = lookOf(looks, value)
  if (!look) return false
  const { size, bold, spaced, mono, boxed, named } = look
  if (bold) add('bold')
  if (spaced) add('letters spaced')
  if (mono) add('monospace')
  if (boxed) add('boxed')
  if (named) add('class of a code')
  if (size >= LARGE) add('large')
  if (size > looks.usual) add(size === looks.largest ? 'largest' : 'larger')
  const standsOut = bold || spaced || mono || size >= LARGE
  if (standsOut) add('emphasized')
  return standsOut
}

/** Adds how a candidate is written. */
export function shapeFeatures(
  { start, end, shape, flaw, value }: Candidate,
  text: string,
  add: (feature: string) => void,
): void {
  add(shape)
  if (flaw) add(flaw)
  const written = text.slice(start, end)
  const prefix = /^\d/.test(value) ? /^[A-Z]+/.exec(written)?.[0] : undefined
  if (prefix) {
    add('prefixed')
    add(`prefix ${prefix}`)
  } else if (written !== value) {
    add('spaced')
    const groups = written.split(/[ -]/).map(({ length }) => length)
    if (groups.some((length) => length !== groups[0])) add('uneven groups')
    if (groups.length > 3) add('many groups')
    if (written.includes('-')) add('dash inside')
  }
  if (/[A-Z]{5}/.test(value) && /[AEIOU].*[AEIOU]/.test(value)) add('like a word')
  if (LIKE_A_NAME.test(value)) add('like a name')
  if (/^\d+00$/.test(value)) add('round')
  if (value.startsWith('0')) add('leading zero')
  if (
    shape === 'loosely dashed' ||
    shape === 'words' ||
    shape === 'dashed' ||
    shape === 'secret' ||
    shape === 'mixed-case'
  )
    add('unusual shape')
  if (isSequence(value)) add('sequence')
  if (/[A-Za-z]/.test(value) && /^[A-Za-z\d-]+$/.test(value)) lettersFeatures(value, add)
}

/** Adds how letters, digits and dashes follow each other. */
function lettersFeatures(value: string, add: (feature: string) => void): void {
  const groups = value.split('-')
  const letters = value.replaceAll('-', '')
  const dashed = groups.length > 1 ? 'dashed ' : ''
  if (/^[A-Z\d]+$/.test(letters)) {
    add(`${dashed}length ${letters.length}`)
    add(`${dashed}${orderOf(letters)}`)
  } else if (/^[a-z\d]+$/.test(letters)) {
    add(`${dashed}lower length ${letters.length}`)
    add(`${dashed}lower ${orderOf(letters)}`)
  }
  if (!/\d/.test(letters)) add(isPronounceable(letters.toLowerCase()) ? 'pronounceable' : 'unpronounceable')
  if (groups.length === 1) return
  add(groups.every(({ length }) => length === groups[0]?.length) ? `equal groups ${groups.length}` : 'unequal groups')
  // In references such as `INV-2026-0042`, each group has only letters or only digits. Codes such as `X7K-9QP` mix them.
  if (groups.every((group) => !/[A-Za-z]\d|\d[A-Za-z]/.test(group))) add('pure groups')
  if (groups.some((group) => /^(?:19|20)\d\d$/.test(group))) add('year inside')
}

const orderOf = (letters: string): string =>
  /^[A-Za-z]+\d+$/.test(letters)
    ? 'letters, then digits'
    : /^\d+[A-Za-z]+$/.test(letters)
      ? 'digits, then letters'
      : 'letters among digits'
