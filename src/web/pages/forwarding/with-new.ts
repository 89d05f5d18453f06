import type { ForwardingLogJson } from '#contract/forwarding.ts'

/**
 * Puts the newest batch of the log on top of the shown entries. If the two do not overlap, only the newest batch
 * remains, because the entries between them are unknown.
 */
export function withNew(shown: ForwardingLogJson | null, newest: ForwardingLogJson): ForwardingLogJson {
  const last = newest.entries.at(-1)?.id
  const at = shown?.entries.findIndex(({ id }) => id === last) ?? -1
  return shown && at !== -1
    ? { entries: [...newest.entries, ...shown.entries.slice(at + 1)], next: shown.next }
    : newest
}
