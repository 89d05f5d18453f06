import type { Finding } from './finding.ts'

export type Messages = Record<string, string>

/** The keys of the source, all of them, no others, in its order; and a text for each. */
export function checkKeys(messages: Messages, source: Messages): Finding[] {
  const keys = Object.keys(messages)
  const wanted = Object.keys(source)
  const absent = wanted.filter((key) => !(key in messages))
  const missing =
    absent.length > 0
      ? [{ where: 'messages', what: `lack ${absent.length} keys of the source: ${absent.join(', ')}` }]
      : []
  const spare = keys.filter((key) => !(key in source)).map((key) => ({ where: key, what: 'is no key of the source' }))
  const known = keys.filter((key) => key in source)
  const order = wanted.filter((key) => key in messages)
  const at = known.findIndex((key, i) => key !== order[i])
  const moved = at < 0 ? [] : [{ where: known[at] ?? '', what: `stands where the source has ${order[at]}` }]
  const blank = keys
    .filter((key) => messages[key]?.trim() !== messages[key] || messages[key] === '')
    .map((key) => ({ where: key, what: messages[key]?.trim() ? 'has a space at its end or start' : 'is empty' }))
  return [...missing, ...spare, ...moved, ...blank]
}
