import type { Probes } from '#core/operating/probes.ts'
import type { Clock } from '#core/time.ts'
import type { Presence } from './dns-records.ts'
export type Level = 'ok' | 'warn' | 'fail'

/** One line of the doctor's output. */
export interface Finding {
  level: Level
  /** A domain, a host or an IP address. */
  about: string
  check: string
  found: string
  /** What to do about it. */
  advice?: string
}

/** Returns a function that creates findings about one subject in one check. */
export const findings =
  (about: string, check: string) =>
  (level: Level, found: string, advice?: string): Finding => ({
    level,
    about,
    check,
    found,
    ...(advice === undefined ? {} : { advice }),
  })

/** Describes an error in words. Names connections and look-ups that timed out. */
export function reasonOf(error: unknown): string {
  const { message, code, name } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT' || code === 'ETIMEOUT')
    return 'no answer in time'
  if (code === 'ECONNREFUSED') return 'nobody listens there'
  const [, alert] = /SSL routines:[^:]*:([^:]+):/.exec(message) ?? []
  if (alert !== undefined) return `TLS fails: ${alert}`
  return message === '' ? (code ?? name) : message
}

/** Returns the tags of a record such as `v=DMARC1; p=none` (RFC 6376 3.2), with names in lower case. */
export const tagsOf = (record: string): Map<string, string> =>
  new Map(
    record.split(';').flatMap((tag): [string, string][] => {
      const at = tag.indexOf('=')
      return at === -1 ? [] : [[tag.slice(0, at).trim().toLowerCase(), tag.slice(at + 1).trim()]]
    }),
  )

/** The name of a check, and the check. */
export type Check = [name: string, run: () => Promise<Finding[]>]

export interface DoctorDeps {
  presence: Presence
  probes: Probes
  /** DNS names of blocklists. */
  blocklists: readonly string[]
  clock: Clock
  /** A warning that the site is public although the settings don't say where. Undefined if all is well. */
  exposure?: string | undefined
  /** A warning that the checkout of a public site moves no money. Undefined if all is well. */
  sandboxExposure?: string | undefined
  /** A warning that others can read the file of the service key. Undefined if all is well. */
  keyExposure?: () => Promise<string | undefined>
}
