import type { Probes } from '#core/operating/probes.ts'
import { RENEWAL_TIME } from '#core/operating/renewal.ts'
import { type Clock, DAY } from '#core/time.ts'
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

/** Descriptions of common error codes of OpenSSL and Node. */
const PROBLEMS: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'issued by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'incomplete chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'incomplete chain',
  CERT_HAS_EXPIRED: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'issued for another name',
}

/** Codes of OpenSSL and Node for a certificate that is not trusted. */
const CERTIFICATE_ERROR = /^(?!ERR_SSL).*(?:CERT|LEAF_SIGNATURE|INVALID_CA)/

/** Describes the error code of a certificate. */
export const describeProblem = (code: string): string => PROBLEMS[code] ?? code

/** Whether a connection failed because its certificate is not trusted. */
export const isCertificateError = (error: unknown): boolean =>
  CERTIFICATE_ERROR.test((error as NodeJS.ErrnoException).code ?? '')

/** Returns a warning about a certificate that should have been renewed. `validTo`: when it expires. */
export function expiring(report: ReturnType<typeof findings>, validTo: number, now: number): Finding | undefined {
  if (validTo - now >= RENEWAL_TIME) return undefined
  const days = Math.floor((validTo - now) / DAY)
  return report('warn', `certificate valid for ${days} more days`, 'check its renewal')
}

/** Describes an error. Timeouts have a common description. */
export function describeError(error: unknown): string {
  const { message, code, name } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT' || code === 'ETIMEOUT')
    return 'no response in time'
  if (code === 'ECONNREFUSED') return 'connection refused'
  const problem = PROBLEMS[code ?? '']
  if (problem !== undefined) return problem
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
  /** The URL of the public site; null if the site is not public. */
  siteUrl: string | null
  /** The port on which the service itself serves HTTP. */
  httpPort: number
  /** What endangers the site or its visitors, each with the setting that it is about. */
  siteWarnings: readonly (Pick<Finding, 'check' | 'found' | 'advice'> & { setting: string })[]
  /** Returns a warning if other users can read the file of the service key. */
  keyExposure?: () => Promise<string | undefined>
  /** Returns a warning if a visitor has the operator's own address. */
  operatorAddress?: () => Promise<string | undefined>
}
