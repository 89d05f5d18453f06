import { domainRecords, type DomainRecords } from './dns-records.ts'
import { type Check, type DoctorDeps, type Finding, findings, describeError, tagsOf } from './doctor-finding.ts'
import { POLICY_PATH, policyHost } from './mta-sts.ts'

/** Checks MX, DKIM, DMARC, MTA-STS and TLS-RPT of a domain. */
export function domainChecks(domain: string, { presence, probes }: Pick<DoctorDeps, 'presence' | 'probes'>): Check[] {
  const { dns } = probes
  const { mailHost, mtaSts } = presence
  const createCheck = (
    check: string,
    run: (report: ReturnType<typeof findings>, records: DomainRecords) => Promise<Finding[]>,
  ): Check => [check, async () => run(findings(domain, check), await domainRecords(domain, presence))]
  /** Returns the TXT records of a name that have a version. */
  const versioned = async (name: string, version: string): Promise<string[]> =>
    (await dns.txt(name)).filter((record) => new RegExp(`^${version}\\s*(?:;|$)`, 'i').test(record))

  /** Fetches a policy as senders do (RFC 8461 3.3): status 200 without redirects, text/plain. */
  async function policyText(host: string): Promise<string> {
    const { status, type, text } = await probes.web(new URL(`https://${host}${POLICY_PATH}`))
    if (status === 200 && /^text\/plain\b/i.test(type)) return text
    throw new Error(`the response is ${status} ${type}`)
  }

  return [
    createCheck('MX', async (report, { mx }) => {
      const hosts = await dns.mx(domain)
      const advice = `set MX ${mx.value}`
      if (hosts.length === 0) return [report('fail', 'no record found', advice)]
      if (!hosts.includes(mailHost)) return [report('fail', `mail goes to ${hosts.join(', ')}`, advice)]
      const others = hosts.filter((host) => host !== mailHost)
      if (others.length === 0) return [report('ok', mailHost)]
      return [
        report('warn', `mail also goes to ${others.join(', ')}`, 'make sure that these hosts deliver to the receiver'),
      ]
    }),

    createCheck('DKIM', async (report, { dkim }) => {
      const isOurs = presence.domains.includes(domain)
      if (!isOurs && presence.senders === '') return []
      // A relay may sign with a key of its own at a domain that only sends our emails.
      const missing = isOurs ? 'fail' : 'warn'
      const advice = `set ${dkim.name} to the record that mayfly dns ${domain} prints`
      const records = await dns.txt(dkim.name)
      const [record] = records
      if (record === undefined) return [report(missing, 'no record found', advice)]
      if (records.length > 1) return [report(missing, 'several records found', advice)]
      const tags = tagsOf(record)
      const key = tags.get('p')?.replaceAll(/\s/g, '')
      if (key !== tagsOf(dkim.value).get('p')) return [report(missing, 'not the key of this service', advice)]
      if (/\by\b/.test(tags.get('t') ?? '')) return [report('warn', 'marked as a test (t=y)', 'remove t=y')]
      return [report('ok', dkim.name)]
    }),

    createCheck('DMARC', async (report, { dmarc }) => {
      const advice = `set ${dmarc.name} to ${dmarc.value}`
      // Without a record, the nearest parent domain with one applies (RFC 9989 4.10).
      const labels = domain.split('.')
      for (const [index] of labels.slice(0, -1).entries()) {
        const from = labels.slice(index).join('.')
        const records = await versioned(`_dmarc.${from}`, 'v=DMARC1')
        const [record] = records
        if (record === undefined) continue
        if (records.length > 1) return [report('fail', `_dmarc.${from} has several records`, advice)]
        const tags = tagsOf(record)
        const policy = (index > 0 ? tags.get('sp') : undefined) ?? tags.get('p') ?? 'none'
        const found = `${policy}, by _dmarc.${from}`
        if (!/^(?:reject|quarantine)$/i.test(policy)) return [report('warn', found, advice)]
        return [
          tags.has('rua') ? report('ok', found) : report('warn', `${found}, without an address for reports`, advice),
        ]
      }
      return [report('fail', 'no record found', advice)]
    }),

    createCheck('MTA-STS', async (report, { mtaSts: record }) => {
      const advice = `set ${record.name} to ${record.value}`
      const [found, ...more] = await versioned(record.name, 'v=STSv1')
      if (found === undefined) {
        const unused = mtaSts.mode === 'none'
        return [unused ? report('ok', 'not in use') : report('fail', 'no record found', advice)]
      }
      const host = policyHost(domain)
      const text = await policyText(host).catch((error: unknown) => error as Error)
      if (typeof text !== 'string')
        return [
          report(
            'fail',
            `https://${host}${POLICY_PATH}: ${describeError(text)}`,
            `point ${host} to the site, with a certificate`,
          ),
        ]
      if (text !== mtaSts.text) return [report('fail', `${host} serves another policy`, 'point it to this service')]
      if (more.length > 0) return [report('fail', 'several records found', advice)]
      if (tagsOf(found).get('id') !== mtaSts.id)
        return [report('warn', 'the id belongs to another policy, which senders keep using', advice)]
      return [report('ok', `${mtaSts.mode}, by ${host}`)]
    }),

    createCheck('TLS-RPT', async (report, { tlsReports }) => {
      const advice = `set ${tlsReports.name} to ${tlsReports.value}`
      const [record] = await versioned(tlsReports.name, 'v=TLSRPTv1')
      const rua = record && tagsOf(record).get('rua')
      return [rua ? report('ok', rua) : report('warn', 'no record found, so TLS failures are not reported', advice)]
    }),
  ]
}
