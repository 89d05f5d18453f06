import { createHash } from 'node:crypto'

type MtaStsMode = 'enforce' | 'testing' | 'none'

interface MtaStsSettings {
  /** The mail domains of this service. */
  domains: readonly string[]
  /** The host that their MX records name. */
  mailHost: string
  mode: MtaStsMode
  /** How long senders cache the policy, in seconds. */
  maxAge: number
}

/** The MTA-STS policy for senders (RFC 8461), the same for all domains. */
export interface MtaSts {
  mode: MtaStsMode
  text: string
  /** The id in the DNS, which changes with the text (RFC 8461 3.1). */
  id: string
  /** Returns the text for the policy host of a mail domain, otherwise undefined. */
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
