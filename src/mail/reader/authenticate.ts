import { Resolver } from 'node:dns/promises'
import { authenticate as mailauth, type DNSResolver } from 'mailauth'
import type { Authentication, AuthenticationResult, Envelope } from '#core/message.ts'

export interface AuthenticateOptions {
  /** `address` or `address:port` of DNS servers; empty: the system's. */
  dnsServers: readonly string[]
  /** Milliseconds for all look-ups of one mail; over it every result is `temperror`. */
  timeout: number
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
/** Each signature costs a look-up and a hash of the body; no honest mail has so many (RFC 6376 6.1 allows a limit). */
const MAX_SIGNATURES = 20
const SIGNATURE = /^(?:dkim-signature|arc-message-signature)[ \t]*:/gim
const MAX_NAME_SERVER_WAIT = 3000

const resultOf = (result: string | undefined): AuthenticationResult =>
  result !== undefined && RESULTS.has(result) ? (result as AuthenticationResult) : 'none'

const all = (result: AuthenticationResult): Authentication => ({ spf: result, dkim: result, dmarc: result })

function countSignatures(raw: Buffer): number {
  const end = raw.indexOf('\r\n\r\n')
  return raw.toString('latin1', 0, end === -1 ? raw.length : end).match(SIGNATURE)?.length ?? 0
}

/** Answers a function that checks SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989) of a mail. It never rejects. */
export function createAuthenticate({ dnsServers, timeout }: AuthenticateOptions) {
  const dns = new Resolver({ timeout: Math.min(timeout, MAX_NAME_SERVER_WAIT), tries: 2 })
  if (dnsServers.length > 0) dns.setServers(dnsServers)
  const resolver = ((name: string, type: string) => dns.resolve(name, type)) as unknown as DNSResolver

  async function check(mail: Uint8Array, envelope: Envelope): Promise<Authentication> {
    const raw = Buffer.from(mail.buffer, mail.byteOffset, mail.length)
    if (countSignatures(raw) > MAX_SIGNATURES) return all('policy')
    const { spf, dkim, dmarc } = await mailauth(raw, {
      ip: envelope.clientAddress,
      helo: envelope.helo,
      sender: envelope.mailFrom,
      mta: 'mayfly',
      disableArc: true,
      disableBimi: true,
      resolver,
    })
    // mailauth calls a body that is not the signed one neutral; RFC 8601 2.7.1 calls it fail, and so would any reader.
    const signatures = (dkim?.results ?? []).map(({ status }) =>
      status.comment === 'body hash did not verify' ? 'fail' : resultOf(status.result),
    )
    return {
      spf: resultOf(spf ? spf.status.result : undefined),
      dkim: signatures.find((result) => result === 'pass') ?? signatures[0] ?? 'none',
      dmarc: resultOf(dmarc ? dmarc.status.result : undefined),
    }
  }

  return (raw: Uint8Array, envelope: Envelope): Promise<Authentication> => {
    const late = Promise.withResolvers<Authentication>()
    const timer = setTimeout(() => late.resolve(all('temperror')), timeout)
    const checked = check(raw, envelope).catch(() => all('temperror'))
    return Promise.race([checked, late.promise]).finally(() => clearTimeout(timer))
  }
}
