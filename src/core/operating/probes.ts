import type { DnsLookup } from '../own-domains/own-domain.ts'

/** More of the DNS; names are lower case, without the last dot. */
export interface DnsProbe extends DnsLookup {
  /** IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<string[]>
  /** What a blocklist answers for an IP address (RFC 5782): nothing, or addresses of 127.0.0.0/8 that say why it is listed. */
  listed(address: string, list: string): Promise<string[]>
  /** The name that a CNAME record leads to. */
  cname(name: string): Promise<string[]>
  /** What the PTR records of an IP address say. */
  names(address: string): Promise<string[]>
  /** As Node's `resolve`, which rejects where there is nothing. */
  resolve(name: string, type: string): Promise<unknown[]>
}

export interface ProbedCertificate {
  /** Why a client that checks would refuse it; null: it would not. */
  problem: string | null
  /** Milliseconds since the epoch. */
  validTo: number
}

/** A mail server, as it presents itself to a client. */
export interface ProbedReceiver {
  /** The first line, without its code (RFC 5321 4.3.1). */
  greeting: string
  /** Null: it offers no STARTTLS. */
  certificate: ProbedCertificate | null
}

/** Connections to what is to be seen from outside; all reject where nobody answers in time. */
export interface Probes {
  dns: DnsProbe
  /** Connects to the mail port of an IP address, and checks the certificate for a name. */
  receiver(address: string, name: string): Promise<ProbedReceiver>
  /** The text at `path` of an https host, as senders get policies (RFC 8461 3.3): no redirects, text/plain, a valid certificate. */
  policy(host: string, path: string): Promise<string>
  /** Connects to the relay, and signs in; undefined: there is none. */
  relay: { host: string; verify(): Promise<void> } | undefined
}
