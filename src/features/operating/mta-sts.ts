import { createHash } from 'node:crypto'

export type MtaStsMode = 'enforce' | 'testing' | 'none'

export interface MtaStsSettings {
  /** The mail domains of this service. */
  domains: readonly string[]
  /** The hosts in their MX records. */
  mailHost: string
  mode: MtaStsMode
  /** Seconds for which senders cache the policy. */
  maxAge: number
}

/** The policy that senders apply when they deliver to this service (RFC 8461), the same for all domains. */
export interface MtaSts {
  mode: MtaStsMode
  text: string
  /** Published in the DNS. Another text has another id (3.1). */
  id: string
  /** Returns the policy text for the policy host of one of the domains, else undefined. */
  policyOf(host: string): string | undefined
}

export const POLICY_PATH = '/.well-known/mta-sts.txt'
export const policyHost = (domain: string): string => `mta-sts.${domain}`

const ID_LENGTH = 20

export function createMtaSts({ domains, mailHost, mode, maxAge }: MtaStsSettings): MtaSts {
  const text = ['version: STSv1', `mode: ${mode}`, `mx: ${mailHost}`, `max_age: ${maxAge}`, ''].join('\r\n')
  const hosts = new Set(domains.map(policyHost))
  return {
    mode,
    text,
    id: createHash('sha256').update(text).digest('hex').slice(0, ID_LENGTH),
    policyOf: (host) => (hosts.has(host.toLowerCase().replace(/\.$/, '')) ? text : undefined),
  }
}
