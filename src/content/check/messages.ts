import { checkArguments } from './arguments.ts'
import type { Finding } from './finding.ts'
import { checkFit } from './fit.ts'
import { argumentsOf, parseMessage, say, variantsOf } from './icu.ts'
import { checkKeys, type Messages } from './keys.ts'
import { keywordsOf, type Passage } from './passage.ts'
import { MOST_BYTES, weigh } from './size.ts'
import { checkSpoken } from './spoken.ts'

/** The messages of a language against those of the source, as messages: their keys, arguments and lengths. */
export function checkMessages(messages: Messages, source: Messages, locale: string): Finding[] {
  if (Object.keys(messages).length === 0) return []
  const single = Object.entries(messages).flatMap(([where, text]) => {
    const model = source[where]
    if (model === undefined) return []
    return checkMessage(where, text, model, locale).map((what) => ({ where, what }))
  })
  const keys = checkKeys(messages, source)
  if (single.length > 0) return [...keys, ...single]
  const bytes = weigh(messages)
  return bytes > MOST_BYTES
    ? [...keys, { where: 'messages', what: `weigh ${bytes} bytes, more than ${MOST_BYTES}` }]
    : keys
}

function checkMessage(key: string, text: string, source: string, locale: string): string[] {
  let elements
  try {
    elements = parseMessage(text)
  } catch (error) {
    return [`is no ICU message: ${error instanceof Error ? error.message : String(error)}`]
  }
  const faults = checkArguments(elements, parseMessage(source), locale)
  if (faults.length > 0) return faults
  return [
    ...checkSpoken(text, argumentsOf(elements), locale),
    ...checkFit(key, say(elements), say(parseMessage(source))),
  ]
}

/** What the messages say, each of their branches. */
export function passagesOf(messages: Messages): Passage[] {
  return Object.entries(messages).flatMap(([where, text]) => {
    try {
      const variants = where.endsWith('Keywords') ? keywordsOf(text) : variantsOf(parseMessage(text))
      return variants.map((variant) => ({ where, text: variant, keyword: where.endsWith('Keywords') }))
    } catch {
      return []
    }
  })
}
