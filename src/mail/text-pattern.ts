import { RE2JS, RE2JSException } from 're2js'
import { type Fold, foldCase } from '#core/text.ts'

/** A regular expression is not valid or too large. The message is one line. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

const REGEX = /^\/(?<pattern>.+)\/(?<flags>[ims]*)$/s
const FLAGS = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL }
/** Instructions of a compiled expression. The time of a search grows with their number times the length of the text. */
const PROGRAM_SIZE_MAX = 200

/** A test for texts. `steps` is the maximum number of steps for one character: 0 unless it is a regular expression. */
export type TextPattern = ((text: string, fold?: Fold) => boolean) & { steps: number }

/**
 * Returns a test for texts that contain `wanted`. Case is ignored. A regular expression between slashes, such as
 * `/^Your code/i`, has RE2 syntax (https://github.com/google/re2/wiki/Syntax): its time is linear in the text, where a
 * backtracking engine could be made to hang. With `literal` the slashes are text. Throws `PatternError`.
 */
export function textPattern(wanted: string, { literal = false } = {}): TextPattern {
  const { pattern, flags = '' } = (literal ? undefined : REGEX.exec(wanted)?.groups) ?? {}
  if (pattern === undefined) {
    const part = foldCase(wanted)
    return Object.assign((text: string, fold: Fold = foldCase) => fold(text).includes(part), { steps: 0 })
  }
  const regex = compile(pattern, flags)
  return Object.assign((text: string) => regex.matcher(text).find(), { steps: regex.programSize() })
}

function compile(pattern: string, flags: string): RE2JS {
  const bits = [...flags].reduce((all, flag) => all | FLAGS[flag as keyof typeof FLAGS], 0)
  let regex: RE2JS
  try {
    regex = RE2JS.compile(pattern, bits)
  } catch (error) {
    if (error instanceof RE2JSException) throw new PatternError(`not a valid regular expression: ${error.message}`)
    throw error
  }
  if (regex.programSize() > PROGRAM_SIZE_MAX) throw new PatternError('this regular expression is too large')
  return regex
}
