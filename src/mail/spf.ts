import type { DNSResolver } from 'mailauth'

/** Looks up records of a type, as Node's `resolve` does: where there are none it rejects with `ENOTFOUND` or `ENODATA`. */
export type ResolveRecords = (name: string, type: string) => Promise<unknown[]>

export interface SpfOutcome {
  /** RFC 7208 2.6. */
  result: string
  /** What is wrong, where the result is an error. */
  why: string
  record: string | undefined
  /** Look-ups that the limit of 10 counts (4.6.4). */
  lookups: number
}

/** Whether an IP address may send for a domain, to the letter of RFC 7208. */
export async function checkSpf(domain: string, ip: string, resolve: ResolveRecords): Promise<SpfOutcome> {
  // A service that only runs has no need of it in its main thread.
  const { spf } = await import('mailauth')
  const sender = `postmaster@${domain}`
  const resolver = resolve as unknown as DNSResolver
  const { status, rr, lookups } = await spf({ sender, ip, helo: domain, mta: 'mayfly', strict: true, resolver })
  const [, why = ''] = (status.comment ?? '').split(`lookup of ${sender}: `)
  return { result: status.result, why, record: rr, lookups: lookups?.count ?? 0 }
}
