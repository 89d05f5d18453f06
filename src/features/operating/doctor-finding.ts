import type { Probes } from '#core/operating/probes.ts'
import type { Clock } from '#core/time.ts'
import type { Presence } from './dns-records.ts'
export type Level = 'ok' | 'warn' | 'fail'

/** One line of what the doctor says. */
export interface Finding {
  level: Level
  /** A domain, a host or an IP address. */
  about: string
  check: string
  found: string
  /** What to do about it. */
  advice?: string
}

/** Answers a function that makes findings about one thing in one check. */
export const findings =
  (about: string, check: string) =>
  (level: Level, found: string, advice?: string): Finding => ({
    level,
    about,
    check,
    found,
    ...(advice === undefined ? {} : { advice }),
  })

/** An error in words; a connection or a look-up that took too long says so. */
export function reasonOf(error: unknown): string {
  const { message, code, name } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT' || code === 'ETIMEOUT')
    return 'no answer in time'
  if (code === 'ECONNREFUSED') return 'nobody listens there'
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

/** A name and what finds out. */
export type Check = [name: string, run: () => Promise<Finding[]>]

export interface DoctorDeps {
  presence: Presence
  probes: Probes
  /** DNS names of blocklists. */
  blocklists: readonly string[]
  clock: Clock
  /** A warning of settings that make the site public without saying where; undefined: all is well. */
  exposure?: string | undefined
  /** A warning of a checkout that moves no money on a public site; undefined: all is well. */
  sandboxExposure?: string | undefined
  /** A warning where others can read the file of the service key; undefined: all is well. */
  keyExposure?: () => Promise<string | undefined>
}
