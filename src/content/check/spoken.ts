import compile from 'icu-minify/compile'
import format from 'icu-minify/format'
import { formatters } from '../figures.ts'
import { PLACEHOLDER } from './passage.ts'

const VALUES = [0, 1, 2, 3, 5, 11, 21, 100]

/** Formats a message with each of the values for all its numbers. Finds unfilled placeholders and doubled spaces. */
export function checkSpoken(text: string, args: readonly { name: string; type: string }[], locale: string): string[] {
  const compiled = compile(text)
  const numbers = args.filter(({ type }) => type === 'plural' || type === 'number')
  const faults = (numbers.length > 0 ? VALUES : [0]).flatMap((value) => {
    const values = Object.fromEntries(args.map((arg) => [arg.name, numbers.includes(arg) ? value : PLACEHOLDER]))
    // Hours and minutes are never both 0.
    if (value === 0 && numbers.length > 1) values[numbers[0]?.name ?? ''] = 1
    const formatted = String(format(compiled, locale, values, { formatters }))
    if (/[{}#]|undefined|NaN|\[object/.test(formatted))
      return [`has an unfilled placeholder with ${value}: ${formatted}`]
    if (/\s\s/.test(formatted)) return [`has a superfluous space with ${value}: "${formatted}"`]
    return []
  })
  return faults.slice(0, 1)
}
