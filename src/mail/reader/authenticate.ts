import { Resolver } from 'node:dns/promises'
import { authenticate as mailauth, type DNSResolver } from 'mailauth'
import type { Authentication, AuthenticationResult, Envelope } from '#core/message.ts'

export interface AuthenticateOptions {
  /** `address` or `address:port` of DNS servers; empty: the system's. */
  dnsServers: readonly string[]
  /** Milliseconds for all look-ups of one mail; over it every open result is `temperror`. */
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

const resultOf = (result: string | undefined): AuthenticationResult =>
  result !== undefined && RESULTS.has(result) ? (result as AuthenticationResult) : 'none'

const failed: Authentication = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' }

/** Answers a function that checks SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989) of a mail. It never rejects. */
export function createAuthenticate({ dnsServers, timeout }: AuthenticateOptions) {
  const dns = new Resolver({ timeout: Math.min(timeout, 3000), tries: 2 })
  if (dnsServers.length > 0) dns.setServers(dnsServers)
  const resolver = ((name: string, type: string) => dns.resolve(name, type)) as unknown as DNSResolver

  async function check(raw: Uint8Array, envelope: Envelope): Promise<Authentication> {
    const { spf, dkim, dmarc } = await mailauth(Buffer.from(raw), {
      ip: envelope.clientAddress,
      helo: envelope.helo,
      sender: envelope.mailFrom,
      mta: 'mayfly',
      disableArc: true,
      disableBimi: true,
      resolver,
    })
    const signatures = (dkim?.results ?? []).map(({ status }) => resultOf(status.result))
    return {
      spf: resultOf(spf ? spf.status.result : undefined),
      dkim: signatures.find((result) => result === 'pass') ?? signatures[0] ?? 'none',
      dmarc: resultOf(dmarc ? dmarc.status.result : undefined),
    }
  }

  return (raw: Uint8Array, envelope: Envelope): Promise<Authentication> => {
    const late = Promise.withResolvers<Authentication>()
    const timer = setTimeout(() => late.resolve(failed), timeout)
    const checked = check(raw, envelope).catch(() => failed)
    return Promise.race([checked, late.promise]).finally(() => clearTimeout(timer))
  }
}
