import type { DnsLookup } from '../own-domains/own-domain.ts'

/** DNS look-ups for the self-check. Names are lower case, without the trailing dot. */
export interface DnsProbe extends DnsLookup {
  /** IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<string[]>
  /**
   * Returns the entries of a blocklist for an IP address (RFC 5782): none, or addresses in 127.0.0.0/8 that give the
   * reason.
   */
  listed(address: string, list: string): Promise<string[]>
  /** Returns the targets of the CNAME records. */
  cname(name: string): Promise<string[]>
  /** Returns the names in the PTR records of an IP address. */
  names(address: string): Promise<string[]>
  /** Like Node's `resolve`, which rejects if there are no records. */
  resolve(name: string, type: string): Promise<unknown[]>
}

interface ProbedCertificate {
  /** Why a verifying client would reject the certificate; null if it would not. */
  problem: string | null
  /** Milliseconds since the epoch. */
  validTo: number
}

/** A mail server as a client sees it. */
export interface ProbedReceiver {
  /** The first reply line without its code (RFC 5321 4.3.1). */
  greeting: string
  /** Null if the server offers no STARTTLS. */
  certificate: ProbedCertificate | null
}

/** A response to an HTTP request. */
export interface ProbedResponse {
  status: number
  /** The content type; empty if there is none. */
  type: string
  /** The target of a redirect. */
  location: string | null
  text: string
  /** When the certificate expires, in milliseconds since the epoch; null without TLS. */
  validTo: number | null
}

/** Connections to the service as seen from outside. All methods reject if the server does not answer in time. */
export interface Probes {
  dns: DnsProbe
  /** Connects to the SMTP port of an IP address and checks the certificate for a host name. */
  receiver(address: string, name: string): Promise<ProbedReceiver>
  /** Requests a URL, without following redirects. Rejects if the certificate is not valid. */
  web(url: URL): Promise<ProbedResponse>
  /** Whether the address is one of this machine, so that a firewall lets a connection from here pass. */
  isOwnAddress(address: string): boolean
  /** Connects to the relay and authenticates. Undefined if no relay is configured. */
  relay: { host: string; verify(): Promise<void> } | undefined
}
