import type { Finding } from './finding.ts'

export type Messages = Record<string, string>

/** Checks that the messages have the keys of the source in the same order, each with a text. */
export function checkKeys(messages: Messages, source: Messages): Finding[] {
  const keys = Object.keys(messages)
  const expected = Object.keys(source)
  const absent = expected.filter((key) => !(key in messages))
  const missing =
    absent.length > 0
      ? [{ where: 'messages', what: `lack ${absent.length} keys of the source: ${absent.join(', ')}` }]
      : []
  const superfluous = keys
    .filter((key) => !(key in source))
    .map((key) => ({ where: key, what: 'is not a key of the source' }))
  const known = keys.filter((key) => key in source)
  const order = expected.filter((key) => key in messages)
  const at = known.findIndex((key, i) => key !== order[i])
  const moved = at < 0 ? [] : [{ where: known[at] ?? '', what: `is out of order: the source has ${order[at]} there` }]
  const blank = keys
    .filter((key) => messages[key]?.trim() !== messages[key] || messages[key] === '')
    .map((key) => ({ where: key, what: messages[key]?.trim() ? 'has a space at its end or start' : 'is empty' }))
  return [...missing, ...superfluous, ...moved, ...blank]
}
