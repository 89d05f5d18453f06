import type { Probes } from '#core/operating/probes.ts'
import type { Clock } from '#core/time.ts'
import type { Presence } from './dns-records.ts'
type Level = 'ok' | 'warn' | 'fail'

/** One result of `doctor`. */
export interface Finding {
  level: Level
  /** A domain, a host or an IP address. */
  about: string
  check: string
  found: string
  /** What the operator should do. */
  advice?: string
}

/** Returns a function that creates findings of one check about one subject. */
export const findings =
  (about: string, check: string) =>
  (level: Level, found: string, advice?: string): Finding => ({
    level,
    about,
    check,
    found,
    ...(advice === undefined ? {} : { advice }),
  })

/** Describes an error. Timeouts have a common description. */
export function describeError(error: unknown): string {
  const { message, code, name } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT' || code === 'ETIMEOUT')
    return 'no response in time'
  if (code === 'ECONNREFUSED') return 'connection refused'
  const [, alert] = /SSL routines:[^:]*:([^:]+):/.exec(message) ?? []
  if (alert !== undefined) return `TLS fails: ${alert}`
  return message === '' ? (code ?? name) : message
}

/** The tags of a record such as `v=DMARC1; p=none` (RFC 6376 3.2), names in lower case. */
export const tagsOf = (record: string): Map<string, string> =>
  new Map(
    record.split(';').flatMap((tag): [string, string][] => {
      const at = tag.indexOf('=')
      return at === -1 ? [] : [[tag.slice(0, at).trim().toLowerCase(), tag.slice(at + 1).trim()]]
    }),
  )

/** A check with its name. */
export type Check = [name: string, run: () => Promise<Finding[]>]

export interface DoctorDeps {
  presence: Presence
  probes: Probes
  /** DNS names of blocklists. */
  blocklists: readonly string[]
  clock: Clock
  /** What endangers the site or its visitors, each with the setting that it is about. */
  siteWarnings: readonly (Pick<Finding, 'check' | 'found' | 'advice'> & { setting: string })[]
  /** Returns a warning if other users can read the file of the service key. */
  keyExposure?: () => Promise<string | undefined>
}
