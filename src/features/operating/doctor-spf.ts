import { isIP } from 'node:net'
import { checkSpf } from '#mail/spf.ts'
import { domainRecords } from './dns-records.ts'
import { type Check, type DoctorDeps, type Finding, findings, reasonOf } from './doctor-finding.ts'

/** An address for documentation (RFC 5737). Only `all` matches it, so all terms are evaluated. */
const NOBODY = '192.0.2.1'
const LIMIT = 10
const VERDICTS: Record<string, [Finding['level'], string]> = {
  fail: ['ok', ''],
  softfail: ['warn', 'it ends in ~all: others may send, too'],
  neutral: ['warn', 'it says nothing of others: they may send, too'],
  pass: ['fail', 'it lets everybody send'],
}

/** SPF (RFC 7208): one valid record within the limit of look-ups that lets only the relay send. */
export const spfCheck = (domain: string, { presence, probes }: Pick<DoctorDeps, 'presence' | 'probes'>): Check => [
  'SPF',
  async () => {
    const say = findings(domain, 'SPF')
    const { dns, relay } = probes
    const expected = (await domainRecords(domain, presence)).spf.value
    const advice = `set ${expected}`
    const { result, why, record, lookups } = await checkSpf(domain, NOBODY, dns.resolve)
    if (result === 'none') return [say('fail', 'there is no record', advice)]
    if (result === 'permerror') return [say('fail', why === '' ? 'it has a mistake' : why, advice)]
    const verdict = VERDICTS[result]
    if (verdict === undefined) return [say('fail', why === '' ? 'no answer' : why)]
    const [level, remark] = verdict
    const found = `${record ?? ''} (${lookups} of ${LIMIT} look-ups)`
    if (level !== 'ok') return [say(level, `${found}; ${remark}`, advice)]
    if (namesAll(record ?? '', presence.senders)) return [say('ok', found)]
    const passes = relay !== undefined && (await lets(domain, relay.host, dns))
    return [passes ? say('ok', found) : say('fail', `${found} does not let the relay send`, advice)]
  },
]

const terms = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)
/** Whether it has all terms for the servers that may send. */
const namesAll = (record: string, senders: string): boolean => {
  const there = new Set(terms(record))
  return terms(senders).every((term) => there.has(term))
}

/** Whether a host may send from each of its IP addresses. */
async function lets(domain: string, host: string, dns: DoctorDeps['probes']['dns']): Promise<boolean> {
  const addresses = isIP(host)
    ? [host]
    : await dns.addresses(host).catch((error: unknown) => Promise.reject(new Error(`${host}: ${reasonOf(error)}`)))
  const outcomes = await Promise.all(addresses.map((address) => checkSpf(domain, address, dns.resolve)))
  return outcomes.length > 0 && outcomes.every(({ result }) => result === 'pass')
}
