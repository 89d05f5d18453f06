import type { Candidate } from './candidates.ts'
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
  if (/^[A-Z\d]+$/.test(value) && /[A-Z]/.test(value)) {
    add(`length ${value.length}`)
    add(
      /^[A-Z]+\d+$/.test(value)
        ? 'letters, then digits'
        : /^\d+[A-Z]+$/.test(value)
          ? 'digits, then letters'
          : 'letters among digits',
    )
  }
}
