import { isIP } from 'node:net'
import { isPrivateHost } from '#core/networks.ts'
import type { SigningKeyOf } from '#features/email/index.ts'
import { dkimRecord } from '#mail/forwarding/dkim-key.ts'
import { type MtaSts, policyHost } from './mta-sts.ts'

/** The service as its DNS records must describe it. */
export interface Presence {
  /** The mail domains of the service. */
  domains: readonly string[]
  /** The domain of our own emails, if it is none of these: it needs our key, but its mail does not come here. */
  senderDomain?: string | undefined
  /** The host name of the receiver, lower case. */
  mailHost: string
  /** SPF terms of the hosts that may send for the domains. Empty if none may; undefined if they are unknown. */
  senders: string | undefined
  signingKey: SigningKeyOf
  mtaSts: MtaSts
  /** The name of the site's host; null if the site is not public or has no name. */
  siteHost: string | null
}

interface ZoneRecord {
  name: string
  type: 'MX' | 'TXT' | 'CNAME'
  value: string
}

/** The records of a domain. Each text is whole, however many strings it takes. */
export interface DomainRecords {
  mx: ZoneRecord
  /** Undefined if the hosts that send are unknown. */
  spf: ZoneRecord | undefined
  dkim: ZoneRecord
  dmarc: ZoneRecord
  mtaSts: ZoneRecord
  tlsReports: ZoneRecord
}

const LOOPBACK = /^(?:localhost|127\..*|::1)$/i
/** What is missing if there is no SPF record. */
export const SPF_UNKNOWN = 'set MAYFLY_SPF to the public addresses that the relay sends from'
const MX_PREFERENCE = 10
/** In seconds. */
const TTL = 3600
/** The length limit of a string in a TXT record, in bytes (RFC 1035 3.3). */
const STRING_BYTES = 255

/**
 * Returns the SPF terms for mail that is sent through a relay: the setting if there is one, otherwise the host of the
 * relay. A relay on this machine sends from the addresses of the receiver. Returns an empty string without a relay, and
 * undefined if the relay has a private name or address, because it sends from other addresses.
 */
export function spfTerms(setting: string | undefined, relay: string | undefined, mailHost: string): string | undefined {
  if (setting !== undefined) return setting.replaceAll(/ +/g, ' ')
  if (relay === undefined) return ''
  const host = new URL(relay).hostname.replace(/^\[(.*)\]$/, '$1')
  if (LOOPBACK.test(host)) return `a:${mailHost}`
  if (isPrivateHost(host)) return undefined
  const version = isIP(host)
  return version === 0 ? `a:${host}` : `ip${version}:${host}`
}

export const spfValue = (senders: string): string => ['v=spf1', senders, '-all'].filter(Boolean).join(' ')

/** The domains that need records. */
export const allDomains = ({ domains, senderDomain }: Pick<Presence, 'domains' | 'senderDomain'>): string[] =>
  senderDomain === undefined ? [...domains] : [...domains, senderDomain]

/** What `mayfly dns` and `mayfly doctor` print for a domain that is not in `allDomains`. */
export const NOT_OURS = 'not a domain of this service'

export async function domainRecords(domain: string, presence: Presence): Promise<DomainRecords> {
  const { senders } = presence
  const { selector, privateKey } = await presence.signingKey(domain)
  const txt = (name: string, value: string): ZoneRecord => ({ name, type: 'TXT', value })
  const operator = `mailto:postmaster@${domain}`
  return {
    mx: { name: domain, type: 'MX', value: `${MX_PREFERENCE} ${presence.mailHost}.` },
    spf: senders === undefined ? undefined : txt(domain, spfValue(senders)),
    dkim: txt(`${selector}._domainkey.${domain}`, dkimRecord(privateKey)),
    dmarc: txt(`_dmarc.${domain}`, `v=DMARC1; p=reject; rua=${operator}`),
    mtaSts: txt(`_mta-sts.${domain}`, `v=STSv1; id=${presence.mtaSts.id}`),
    tlsReports: txt(`_smtp._tls.${domain}`, `v=TLSRPTv1; rua=${operator}`),
  }
}

/**
 * Returns everything that one of `allDomains` needs as lines of a zone file (RFC 1035 5.1). Records outside the zone, or with
 * values that are not known here, are comments.
 */
export async function zoneLines(domain: string, presence: Presence): Promise<string[]> {
  if (domain === presence.senderDomain) return senderLines(domain, presence)
  if (!presence.domains.includes(domain))
    return [`; ${domain} is ${NOT_OURS}: it is not in MAYFLY_DOMAINS or MAYFLY_PREMIUM_DOMAINS.`]
  const { mx, spf, dkim, dmarc, mtaSts, tlsReports } = await domainRecords(domain, presence)
  const { mailHost, siteHost } = presence
  const policy = policyHost(domain)
  return [
    `; ${domain}`,
    '; Delivers mail for the domain to the receiver.',
    line(mx),
    '; Permitted senders (SPF), the signing key (DKIM), and the policy for all other mail (DMARC).',
    spf ? line(spf) : `; SPF: ${SPF_UNKNOWN}.`,
    line(dkim),
    line(dmarc),
    `; Makes senders use TLS (MTA-STS). The site serves the policy at https://${policy}, which needs a certificate, too.`,
    line(mtaSts),
    siteHost === null
      ? `; ${policy}. must point to the site. The record is printed if MAYFLY_PUBLIC_URL has a public host name.`
      : line({ name: policy, type: 'CNAME', value: `${siteHost}.` }),
    '; Makes senders report TLS failures to postmaster@ (TLS-RPT).',
    line(tlsReports),
    '; Records outside this zone, or with values that are not known here:',
    `;   ${mailHost}. needs A and AAAA records with the IP addresses of the receiver, and must not be a CNAME.`,
    `;   Each of these addresses needs the PTR record ${mailHost}. Set it at the provider of the addresses.`,
  ]
}

/** What the owner of the domain adds to its records. A second SPF record would make both invalid (RFC 7208 4.5). */
async function senderLines(domain: string, presence: Presence): Promise<string[]> {
  const { dkim } = await domainRecords(domain, presence)
  const { senders } = presence
  return [
    `; ${domain}: the domain of MAYFLY_OUTBOUND_FROM. Its other records stay as they are.`,
    '; The key that signs emails (DKIM).',
    line(dkim),
    ...(senders === undefined ? [`; SPF: ${SPF_UNKNOWN}.`] : []),
    ...(senders ? [`; SPF: the record of the domain must contain: ${senders}`] : []),
  ]
}

const line = ({ name, type, value }: ZoneRecord): string =>
  `${name}. ${TTL} IN ${type} ${type === 'TXT' ? strings(value) : value}`

/** All these texts are ASCII without quotes and backslashes. */
const strings = (text: string): string =>
  (text.match(new RegExp(`.{1,${STRING_BYTES}}`, 'g')) ?? []).map((part) => `"${part}"`).join(' ')
