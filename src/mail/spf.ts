import type { DNSResolver } from 'mailauth'

/** Looks up DNS records of a type like Node's `resolve`. Rejects with `ENOTFOUND` or `ENODATA` if there are none. */
type ResolveRecords = (name: string, type: string) => Promise<unknown[]>

interface SpfOutcome {
  /** RFC 7208 2.6. */
  result: string
  /** The reason if the result is an error. */
  why: string
  record: string | undefined
  /** Lookups that count towards the limit of 10 (4.6.4). */
  lookups: number
}

/** Checks whether an IP address may send for a domain, strictly by RFC 7208. */
export async function checkSpf(domain: string, ip: string, resolve: ResolveRecords): Promise<SpfOutcome> {
  // Loaded on demand, because only diagnostics need it in the main thread.
  const { spf } = await import('mailauth')
  const sender = `postmaster@${domain}`
  const resolver = resolve as unknown as DNSResolver
  const { status, rr, lookups } = await spf({ sender, ip, helo: domain, mta: 'mayfly', strict: true, resolver })
  const [, why = ''] = (status.comment ?? '').split(`lookup of ${sender}: `)
  return { result: status.result, why, record: rr, lookups: lookups?.count ?? 0 }
}
