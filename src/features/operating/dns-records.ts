import { isIP } from 'node:net'
import type { SigningKeyOf } from '#features/email/index.ts'
import { dkimRecord } from '#mail/forwarding/dkim-key.ts'
import { type MtaSts, policyHost } from './mta-sts.ts'

/** The service as the DNS should present it. */
export interface Presence {
  /** Its mail domains. */
  domains: readonly string[]
  /** The host name of the receiver, in lower case. */
  mailHost: string
  /** SPF terms for the servers that may send for the domains. Empty: none may. */
  senders: string
  signingKey: SigningKeyOf
  mtaSts: MtaSts
  /** The host of the site. Null if it is not public. */
  siteHost: string | null
}

export interface ZoneRecord {
  name: string
  type: 'MX' | 'TXT' | 'CNAME'
  value: string
}

/** Contents of a domain's records. Texts are complete, whatever number of strings they take. */
export interface DomainRecords {
  mx: ZoneRecord
  spf: ZoneRecord
  dkim: ZoneRecord
  dmarc: ZoneRecord
  mtaSts: ZoneRecord
  tlsReports: ZoneRecord
}

const LOOPBACK = /^(?:localhost|127\..*|::1)$/i
const MX_PREFERENCE = 10
/** In seconds. */
const TTL = 3600
/** Bytes of a string in a TXT record (RFC 1035 3.3). */
const STRING_BYTES = 255

/**
 * SPF terms for a relay: the setting, or else the relay's host. A relay on this machine sends from the receiver's
 * address. Empty without a relay.
 */
export function spfTerms(set: string | undefined, relay: string | undefined, mailHost: string): string {
  if (set !== undefined) return set.replaceAll(/ +/g, ' ')
  if (relay === undefined) return ''
  const host = new URL(relay).hostname.replace(/^\[(.*)\]$/, '$1')
  if (LOOPBACK.test(host)) return `a:${mailHost}`
  const version = isIP(host)
  return version === 0 ? `a:${host}` : `ip${version}:${host}`
}

export async function domainRecords(domain: string, presence: Presence): Promise<DomainRecords> {
  const { selector, privateKey } = await presence.signingKey(domain)
  const txt = (name: string, value: string): ZoneRecord => ({ name, type: 'TXT', value })
  const operator = `mailto:postmaster@${domain}`
  return {
    mx: { name: domain, type: 'MX', value: `${MX_PREFERENCE} ${presence.mailHost}.` },
    spf: txt(domain, ['v=spf1', presence.senders, '-all'].filter(Boolean).join(' ')),
    dkim: txt(`${selector}._domainkey.${domain}`, dkimRecord(privateKey)),
    dmarc: txt(`_dmarc.${domain}`, `v=DMARC1; p=reject; rua=${operator}`),
    mtaSts: txt(`_mta-sts.${domain}`, `v=STSv1; id=${presence.mtaSts.id}`),
    tlsReports: txt(`_smtp._tls.${domain}`, `v=TLSRPTv1; rua=${operator}`),
  }
}

/**
 * All records of a domain as lines of a zone file (RFC 1035 5.1). Records that can't be written there, or that are
 * unknown, become comments.
 */
export async function zoneLines(domain: string, presence: Presence): Promise<string[]> {
  const { mx, spf, dkim, dmarc, mtaSts, tlsReports } = await domainRecords(domain, presence)
  const { mailHost, siteHost } = presence
  const strange = presence.domains.includes(domain)
    ? []
    : [`; ${domain} is not a domain of this service: MAYFLY_DOMAINS and MAYFLY_PREMIUM_DOMAINS don't have it.`]
  const policy = policyHost(domain)
  return [
    `; ${domain}`,
    ...strange,
    '; Mail for it comes to the receiver.',
    line(mx),
    '; Who may send for it (SPF), with which key (DKIM), and what becomes of anything else (DMARC).',
    line(spf),
    line(dkim),
    line(dmarc),
    `; Senders use TLS (MTA-STS); the policy is served by the site, at https://${policy}, which needs a certificate, too.`,
    line(mtaSts),
    siteHost === null
      ? `; ${policy}. must lead to the site: set MAYFLY_PUBLIC_URL.`
      : line({ name: policy, type: 'CNAME', value: `${siteHost}.` }),
    '; They tell postmaster@ where TLS fails (TLS-RPT).',
    line(tlsReports),
    '; Not of this zone, or not known here:',
    `;   ${mailHost}. has A and AAAA records with the IP addresses of the receiver, and no CNAME.`,
    `;   Each of these addresses has a PTR record, set where you rent them: ${mailHost}.`,
  ]
}

const line = ({ name, type, value }: ZoneRecord): string =>
  `${name}. ${TTL} IN ${type} ${type === 'TXT' ? strings(value) : value}`

/** All texts are ASCII without quotes and backslashes. */
const strings = (text: string): string =>
  (text.match(new RegExp(`.{1,${STRING_BYTES}}`, 'g')) ?? []).map((part) => `"${part}"`).join(' ')
