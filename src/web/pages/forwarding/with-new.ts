import type { ForwardingLogJson } from '#contract/forwarding.ts'

/**
 * The newest page of the log over what is shown: entries that were loaded as older ones stay below it. Where it doesn't reach
 * down to them it stands alone, for what lies between is not known.
 */
export function withNew(shown: ForwardingLogJson | null, newest: ForwardingLogJson): ForwardingLogJson {
  const last = newest.entries.at(-1)?.id
  const at = shown?.entries.findIndex(({ id }) => id === last) ?? -1
  return shown && at !== -1
    ? { entries: [...newest.entries, ...shown.entries.slice(at + 1)], next: shown.next }
    : newest
}
