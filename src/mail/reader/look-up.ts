import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { type AuthenticateResult, dkimVerify, dmarc, authenticate as mailauth, spf } from 'mailauth'
import { domainOf } from '#core/mailbox/domain.ts'
import type { Authentication, AuthenticationResult, Envelope } from '#core/mailbox/message.ts'
import { senderOf } from './author.ts'
import { createDnsCache } from './dns-cache.ts'
import { fallbackSummary } from './fallback.ts'
import { headLength } from './head.ts'
import { countLines, defaultParseLimits } from './limits.ts'
import { createMessageDns, type MessageDns } from './message-dns.ts'
import { parseMime } from './mime.ts'
import { completeWork } from './work.ts'

export interface LookUpOptions {
  /** DNS servers as `address` or `address:port`. Empty: those of the system. */
  dnsServers: readonly string[]
  /** Milliseconds for all lookups of one message. */
  timeout: number
}

/** The parts of the result of mailauth that decide about the sender. */
type SenderResult = Pick<AuthenticateResult, 'spf' | 'dkim' | 'dmarc'>

export interface LookedUp {
  authentication: Authentication
  /** The complete result of mailauth. */
  details: AuthenticateResult
  /** Whether a name server failed at one of the lookups. */
  dnsFailed: boolean
}

export interface LookUp {
  /** Checks SPF, DKIM, DMARC and ARC (RFC 8617). `servedBy`: the authserv-id of the results (RFC 8601 2.5). */
  all(raw: Buffer, envelope: Envelope, servedBy: string): Promise<LookedUp>
  /**
   * Checks SPF, DKIM and DMARC. `patience`: milliseconds for the lookups of SPF and DKIM, which run at the same time. After
   * that, DMARC has the rest of the time. `answered`: whether a name server responded to one of the lookups, even if only
   * to say that it failed.
   */
  sender(
    raw: Buffer,
    envelope: Envelope,
    patience: number,
  ): Promise<{ authentication: Authentication; answered: boolean }>
}

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
const PARSED = /^(?:from[ \t]*:|received|dkim-|arc-|authentication-results)/i
/** Where mailauth begins the next field. It appends every other line to the field above. */
const FIELD_END = /\r?\n(?=[!-9;-~]+[ \t]*(?:\r?\n[ \t]*)?:)/
const MAX_NAME_SERVER_WAIT = 3000
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
 * so DMARC fails unless SPF passes, whatever else the sender has added. Undefined if they are too long themselves.
 */
export function onlyAuthor(raw: Buffer): Buffer | undefined {
  const fields = raw.toString('latin1', 0, headLength(raw)).split(FIELD_END)
  const from = fields.filter((field) => /^from[ \t]*:/i.test(field)).map((field) => field.trim().replace(/\s+/g, ' '))
  const author = `${from.join('\r\n')}\r\n\r\n`
  return author.length > MAX_PARSED_CHARACTERS ? undefined : Buffer.from(author, 'latin1')
}

/**
 * Whether DMARC could pass at another time, because a lookup failed for an identifier that would align with the author
 * (RFC 9989 4.7). Other identifiers don't matter: the sender chooses them.
 */
function isUndecided(details: SenderResult): boolean {
  if (!details.dmarc) return false
  const { alignment, domain: organization, status } = details.dmarc
  const aligns = (identifier: string | undefined, strict: boolean | undefined): boolean => {
    const [domain, author] = [
      normalized(identifier ?? ''),
      normalized((strict ? status.header?.from : organization) ?? ''),
    ]
    return author !== '' && (domain === author || (!strict && domain.endsWith(`.${author}`)))
  }
  const sent = details.spf
  if (sent && sent.status.result === 'temperror' && aligns(sent.domain, alignment?.spf?.strict)) return true
  return details.dkim.results.some(
    (each) => each.status.result === 'temperror' && aligns(each.signingDomain, alignment?.dkim?.strict),
  )
}

function summarize(details: SenderResult): Authentication {
  const { dkim } = details
  // mailauth reports `neutral` if the body differs from the signed one. RFC 8601 2.7.1 requires `fail`.
  const signatures = dkim.results.map(({ status }) =>
    status.comment === 'body hash did not verify' ? 'fail' : resultOf(status.result),
  )
  const signature = signatures.find((each) => each === 'pass') ?? signatures[0] ?? 'none'
  // mailauth ignores signatures that it cannot parse. By RFC 8601 2.7.1, `none` means that the message has no signature.
  const isSigned = dkim.headers?.parsed.some(({ key }) => key === 'dkim-signature') ?? false
  const result = {
    spf: resultOf(details.spf ? details.spf.status.result : undefined),
    dkim: signature === 'none' && isSigned ? 'neutral' : signature,
    dmarc: resultOf(details.dmarc ? details.dmarc.status.result : undefined),
  }
  return result.dmarc === 'fail' && isUndecided(details) ? { ...result, dmarc: 'temperror' } : result
}

const normalized = (domain: string): string => domainToASCII(domain.replace(/\.$/, '')).toLowerCase()

const domainIn = (address: string): string => normalized(domainOf(address))

/**
 * Whether DMARC checked the domain of the author that is shown. mailauth, the parser of messages and the fallback for
 * messages that cannot be parsed may read a malformed From header differently.
 */
async function checksAuthor(details: SenderResult, raw: Uint8Array): Promise<boolean> {
  const checked = details.dmarc && details.dmarc.status.header?.from
  if (!checked) return false
  try {
    const head = raw.subarray(0, headLength(raw))
    const mail = await parseMime(head, completeWork(head, defaultParseLimits), raw)
    const authors = [senderOf(mail, { mailFrom: '' }), fallbackSummary(raw, { recipient: '' }).from]
    return authors.every(({ address }) => domainIn(address) === domainIn(checked))
  } catch {
    return false
  }
}

/**
 * Starts the lookups of the keys of all signatures. They are verified one after the other, after the body is hashed, so
 * silent name servers of the first ones and a large body would use up the time of the others. mailauth itself names them,
 * from the head.
 */
async function askForKeys(raw: Buffer, { ask }: MessageDns): Promise<void> {
  const head = raw.subarray(0, headLength(raw))
  if (!/(?:dkim|arc-message)-signature/i.test(head.toString('latin1'))) return
  const { results } = await dkimVerify(head, { resolver: () => Promise.reject(new Error('Not looked up')) })
  for (const { selector, signingDomain } of results) ask(`${selector}._domainkey.${signingDomain}`, 'TXT')
}

/** Runs the parts of mailauth that check the sender: DKIM and SPF at the same time, then DMARC. */
async function checkSender(raw: Buffer, { clientAddress, helo, mailFrom }: Envelope, dns: MessageDns) {
  await askForKeys(raw, dns)
  const client = helo || clientAddress
  const [signed, sent] = await Promise.all([
    dkimVerify(raw, { resolver: dns.ofSignatures, sender: mailFrom }),
    spf({
      ip: clientAddress,
      helo: isIP(client) ? `[${client}]` : client,
      sender: mailFrom,
      mta: 'mayfly',
      resolver: dns.ofSender,
    }),
  ])
  const policy = await dmarc({
    headerFrom: signed.headerFrom,
    fromFields: signed.fromFields,
    spfDomains: sent.status.result === 'pass' && sent.domain !== undefined ? [sent.domain] : [],
    dkimDomains: signed.results.flatMap(({ signingDomain, status }) =>
      status.result === 'pass' && signingDomain !== undefined ? [{ domain: signingDomain, ...status }] : [],
    ),
    resolver: dns.ofAuthor,
  })
  return { spf: sent, dkim: signed, dmarc: policy }
}

/** Returns functions that check SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989) of a message. */
export function createLookUp({ dnsServers, timeout }: LookUpOptions): LookUp {
  const resolver = new Resolver({ timeout: Math.min(timeout, MAX_NAME_SERVER_WAIT), tries: 2 })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const lookUp = createDnsCache((name, type) => resolver.resolve(name, type), DNS_CACHE)

  async function summary(details: SenderResult, raw: Buffer): Promise<Authentication> {
    const result = summarize(details)
    const ofOther = result.dmarc === 'pass' && !(await checksAuthor(details, raw))
    return ofOther ? { ...result, dmarc: 'none' } : result
  }

  return {
    async all(raw, { clientAddress, helo, mailFrom }, servedBy) {
      const dns = createMessageDns(lookUp)
      const details = await mailauth(raw, {
        ip: clientAddress,
        helo,
        sender: mailFrom,
        mta: servedBy,
        disableBimi: true,
        resolver: dns.ofAuthor,
      })
      return { authentication: await summary(details, raw), details, dnsFailed: dns.failed() }
    },

    async sender(raw, envelope, patience) {
      const dns = createMessageDns(lookUp, patience)
      const details = await checkSender(raw, envelope, dns).finally(dns.stop)
      return { authentication: await summary(details, raw), answered: dns.answered() }
    },
  }
}

/** Resolves with `result`, or with `fallback()` if it rejects or takes longer than `timeout` milliseconds. */
export function withTimeout<T>(timeout: number, result: Promise<T>, fallback: () => T): Promise<T> {
  const timer = Promise.withResolvers<T>()
  const handle = setTimeout(() => timer.resolve(fallback()), timeout)
  return Promise.race([result.catch(fallback), timer.promise]).finally(() => clearTimeout(handle))
}
