import { isIP } from 'node:net'
import { checkSpf } from '#mail/spf.ts'
import { SPF_UNKNOWN, spfValue } from './dns-records.ts'
import { type Check, type DoctorDeps, type Finding, findings, describeError } from './doctor-finding.ts'

/** A documentation address (RFC 5737). Only `all` matches it, so every term is evaluated. */
const DOCUMENTATION_ADDRESS = '192.0.2.1'
const LIMIT = 10
const VERDICTS: Record<string, [Finding['level'], string]> = {
  fail: ['ok', ''],
  softfail: ['warn', 'ends in ~all, so other hosts may send, too'],
  neutral: ['warn', 'does not end in -all, so other hosts may send, too'],
  pass: ['fail', 'allows every host to send'],
}

/**
 * Checks SPF (RFC 7208): one record without errors, within the limit of look-ups, that allows only the relay to send.
 * At a domain that only sends our emails, others may send as well.
 */
export const spfCheck = (domain: string, { presence, probes }: Pick<DoctorDeps, 'presence' | 'probes'>): Check => [
  'SPF',
  async () => {
    const report = findings(domain, 'SPF')
    const { dns, relay } = probes
    const { senders } = presence
    const isOurs = presence.domains.includes(domain)
    if (!isOurs && senders === '') return []
    const known = isOurs ? `set ${spfValue(senders ?? '')}` : `let the SPF record contain ${senders}`
    const advice = senders === undefined ? SPF_UNKNOWN : known
    const { result, why, record, lookups } = await checkSpf(domain, DOCUMENTATION_ADDRESS, dns.resolve)
    if (result === 'none') return [report('fail', 'no record found', advice)]
    if (result === 'permerror') return [report('fail', why === '' ? 'syntax error' : why, advice)]
    const verdict = VERDICTS[result]
    if (verdict === undefined) return [report('fail', why === '' ? 'no response' : why)]
    const [level, problem] = isOurs ? verdict : (['ok', ''] as const)
    const found = `${record ?? ''} (${lookups} of ${LIMIT} look-ups)`
    if (level !== 'ok') return [report(level, `${found}; ${problem}`, advice)]
    if (senders === undefined) return [report('warn', `${found}; the relay has a private name or address`, advice)]
    if (containsAll(record ?? '', senders)) return [report('ok', found)]
    const passes = relay !== undefined && (await allows(domain, relay.host, dns))
    return [passes ? report('ok', found) : report('fail', `${found} does not allow the relay to send`, advice)]
  },
]

const terms = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)
/** Whether a record contains all terms of the permitted senders. */
const containsAll = (record: string, senders: string): boolean => {
  const present = new Set(terms(record))
  return terms(senders).every((term) => present.has(term))
}

/** Whether SPF allows a host to send from all its IP addresses. */
async function allows(domain: string, host: string, dns: DoctorDeps['probes']['dns']): Promise<boolean> {
  const addresses = isIP(host)
    ? [host]
    : await dns.addresses(host).catch((error: unknown) => Promise.reject(new Error(`${host}: ${describeError(error)}`)))
  const outcomes = await Promise.all(addresses.map((address) => checkSpf(domain, address, dns.resolve)))
  return outcomes.length > 0 && outcomes.every(({ result }) => result === 'pass')
}
