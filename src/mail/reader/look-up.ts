import { Resolver } from 'node:dns/promises'
import { domainToASCII } from 'node:url'
import { type AuthenticateResult, authenticate as mailauth, type DNSResolver } from 'mailauth'
import { getDomain } from 'tldts'
import { domainOf } from '#core/mailbox/domain.ts'
import type { Authentication, AuthenticationResult, Envelope } from '#core/mailbox/message.ts'
import { senderOf } from './author.ts'
import { createDnsCache, hasNoRecords } from './dns-cache.ts'
import { fallbackSummary } from './fallback.ts'
import { headLength } from './head.ts'
import { countLines, defaultParseLimits } from './limits.ts'
import { parseMime } from './mime.ts'
import { completeWork } from './work.ts'

export interface LookUpOptions {
  /** DNS servers as `address` or `address:port`. Empty: those of the system. */
  dnsServers: readonly string[]
  /** Milliseconds for all lookups of one message. */
  timeout: number
}

export interface LookedUp {
  authentication: Authentication
  /** The complete result of mailauth. */
  details: AuthenticateResult
  /** Whether a name server failed at one of the lookups. */
  dnsFailed: boolean
  /** Whether a name server responded to one of the lookups, even if only to say that it failed. */
  answered: boolean
}

interface OneLookUp {
  /** The authserv-id of the results (RFC 8601 2.5). */
  servedBy: string
  arc: boolean
  /** Milliseconds after which all lookups but those for the domain of the author fail. Default: never. */
  patience?: number
}

export type LookUp = (raw: Buffer, envelope: Envelope, options: OneLookUp) => Promise<LookedUp>

const RESULTS: ReadonlySet<string> = new Set<AuthenticationResult>([
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'policy',
  'temperror',
  'permerror',
])
/** Each signature costs a lookup and a hash of the body. No honest message has more (RFC 6376 6.1 allows a limit). */
const MAX_SIGNATURES = 20
const SIGNATURE = /^(?:dkim-signature|arc-message-signature)[ \t]*:/i
/**
 * The time that mailauth takes grows with the square of the lines of a header field, of white space in a row, and of the
 * length of a field that it parses.
 */
const MAX_HEADER_LINES = 10_000
const MAX_BLANK = 1000
const MAX_PARSED_CHARACTERS = 8192
const PARSED = /^(?:received|dkim-|arc-|authentication-results)/i
/** Where mailauth begins the next field. It appends every other line to the field above. */
const FIELD_END = /\r?\n(?=[!-9;-~]+[ \t]*(?:\r?\n[ \t]*)?:)/
const MAX_NAME_SERVER_WAIT = 3000
/** Errors of lookups to which no name server responded. */
const NO_RESPONSE: ReadonlySet<unknown> = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED'])
const DNS_CACHE = { time: 30_000, maxSize: 2 * 1024 * 1024 }

const resultOf = (result: string | undefined): AuthenticationResult =>
  result !== undefined && RESULTS.has(result) ? (result as AuthenticationResult) : 'none'

/** Returns the same result for all checks. */
export const allResults = (result: AuthenticationResult): Authentication => ({
  spf: result,
  dkim: result,
  dmarc: result,
})

/** Whether checking a message would cost more than for any honest one. */
export function isExcessive(raw: Buffer): boolean {
  const head = raw.subarray(0, headLength(raw))
  if (countLines(head) > MAX_HEADER_LINES || longestBlank(head) > MAX_BLANK) return true
  const fields = head.toString('latin1').split(FIELD_END)
  if (fields.filter((field) => SIGNATURE.test(field)).length > MAX_SIGNATURES) return true
  return fields.some((field) => field.length > MAX_PARSED_CHARACTERS && PARSED.test(field))
}

/** The length of the longest run of spaces, tabs and line ends. */
function longestBlank(head: Uint8Array): number {
  let longest = 0
  let length = 0
  for (const byte of head) {
    length = byte === 32 || (byte >= 9 && byte <= 13) ? length + 1 : 0
    if (length > longest) longest = length
  }
  return longest
}

/**
 * Returns only the From fields of a message that is too expensive to check. Its signatures are ignored (RFC 6376 6.1),
 * so DMARC fails unless SPF passes, whatever else the sender has added.
 */
export function onlyAuthor(raw: Buffer): Buffer {
  const fields = raw.toString('latin1', 0, headLength(raw)).split(FIELD_END)
  const from = fields.filter((field) => /^from\s*:/i.test(field)).map((field) => field.trim().replace(/\s+/g, ' '))
  return Buffer.from(`${from.join('\r\n')}\r\n\r\n`, 'latin1')
}

/**
 * Whether DMARC could pass at another time, because a lookup failed for an identifier that would align with the author
 * (RFC 9989 4.7). Other identifiers don't matter: the sender chooses them.
 */
function isUndecided({ spf, dkim, dmarc }: AuthenticateResult): boolean {
  if (!dmarc) return false
  const { alignment, domain: organization, status } = dmarc
  const aligns = (identifier: string | undefined, strict: boolean | undefined): boolean => {
    const [domain, author] = [
      normalized(identifier ?? ''),
      normalized((strict ? status.header?.from : organization) ?? ''),
    ]
    return author !== '' && (domain === author || (!strict && domain.endsWith(`.${author}`)))
  }
  if (spf && spf.status.result === 'temperror' && aligns(spf.domain, alignment?.spf?.strict)) return true
  return dkim.results.some(
    (each) => each.status.result === 'temperror' && aligns(each.signingDomain, alignment?.dkim?.strict),
  )
}

function summarize(details: AuthenticateResult): Authentication {
  const { spf, dkim, dmarc } = details
  // mailauth reports `neutral` if the body differs from the signed one. RFC 8601 2.7.1 requires `fail`.
  const signatures = dkim.results.map(({ status }) =>
    status.comment === 'body hash did not verify' ? 'fail' : resultOf(status.result),
  )
  const signature = signatures.find((each) => each === 'pass') ?? signatures[0] ?? 'none'
  // mailauth ignores signatures that it cannot parse. By RFC 8601 2.7.1, `none` means that the message has no signature.
  const isSigned = dkim.headers?.parsed.some(({ key }) => key === 'dkim-signature') ?? false
  const result = {
    spf: resultOf(spf ? spf.status.result : undefined),
    dkim: signature === 'none' && isSigned ? 'neutral' : signature,
    dmarc: resultOf(dmarc ? dmarc.status.result : undefined),
  }
  return result.dmarc === 'fail' && isUndecided(details) ? { ...result, dmarc: 'temperror' } : result
}

/**
 * Returns a function that tells whether a name belongs to the organization of an author in the From fields. Lookups for
 * such names decide about DMARC. The names of other identifiers are the sender's choice.
 */
function authorsNames(raw: Buffer): (name: string) => boolean {
  const fields = onlyAuthor(raw).toString('latin1')
  const domains = Array.from(fields.matchAll(/@([\w.-]{1,253})/g), ([, domain = '']) => normalized(domain))
  const organizations = domains.map((domain) => getDomain(domain, { allowPrivateDomains: true }) ?? domain)
  return (name) => {
    const host = name.toLowerCase().replace(/\.$/, '')
    return organizations.some((each) => host === each || host.endsWith(`.${each}`))
  }
}

const normalized = (domain: string): string => domainToASCII(domain.replace(/\.$/, '')).toLowerCase()

const domainIn = (address: string): string => normalized(domainOf(address))

/**
 * Whether DMARC checked the domain of the author that is shown. mailauth, the parser of messages and the fallback for
 * messages that cannot be parsed may read a malformed From header differently.
 */
async function checksAuthor({ dmarc }: AuthenticateResult, raw: Uint8Array): Promise<boolean> {
  const checked = dmarc && dmarc.status.header?.from
  if (!checked) return false
  try {
    const head = raw.subarray(0, headLength(raw))
    const mail = await parseMime(head, completeWork(head, defaultParseLimits), raw)
    const authors = [senderOf(mail, { mailFrom: '' }), fallbackSummary(raw, '').from]
    return authors.every(({ address }) => domainIn(address) === domainIn(checked))
  } catch {
    return false
  }
}

/** Returns a function that checks SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 9989) and ARC (RFC 8617) of a message. */
export function createLookUp({ dnsServers, timeout }: LookUpOptions): LookUp {
  const dns = new Resolver({ timeout: Math.min(timeout, MAX_NAME_SERVER_WAIT), tries: 2 })
  if (dnsServers.length > 0) dns.setServers(dnsServers)
  const lookUpRecords = createDnsCache((name, type) => dns.resolve(name, type), DNS_CACHE)

  return async (raw, envelope, { servedBy, arc, patience }) => {
    let dnsFailed = false
    let answered = false
    const late = Promise.withResolvers<never>()
    late.promise.catch(() => {})
    const tooLate = Object.assign(new Error('No time left for this lookup'), { code: 'ETIMEOUT' })
    const timer = patience === undefined ? undefined : setTimeout(() => late.reject(tooLate), patience)
    const isUnlimited = patience === undefined ? () => true : authorsNames(raw)
    const resolve = async (name: string, type: string): Promise<unknown> => {
      const records = lookUpRecords(name, type)
      try {
        const result = await (isUnlimited(name) ? records : Promise.race([late.promise, records]))
        answered = true
        return result
      } catch (error) {
        dnsFailed ||= !hasNoRecords(error)
        answered ||= !NO_RESPONSE.has((error as NodeJS.ErrnoException).code)
        throw error
      }
    }
    const details = await mailauth(raw, {
      ip: envelope.clientAddress,
      helo: envelope.helo,
      sender: envelope.mailFrom,
      mta: servedBy,
      disableArc: !arc,
      disableBimi: true,
      resolver: resolve as DNSResolver,
    }).finally(() => clearTimeout(timer))
    const result = summarize(details)
    const ofOther = result.dmarc === 'pass' && !(await checksAuthor(details, raw))
    return { authentication: ofOther ? { ...result, dmarc: 'none' } : result, details, dnsFailed, answered }
  }
}

/** Resolves with `result`, or with `fallback()` if it rejects or takes longer than `timeout` milliseconds. */
export function withTimeout<T>(timeout: number, result: Promise<T>, fallback: () => T): Promise<T> {
  const timer = Promise.withResolvers<T>()
  const handle = setTimeout(() => timer.resolve(fallback()), timeout)
  return Promise.race([result.catch(fallback), timer.promise]).finally(() => clearTimeout(handle))
}
