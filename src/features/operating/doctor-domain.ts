import { domainRecords, type DomainRecords } from './dns-records.ts'
import { type Check, type DoctorDeps, type Finding, findings, reasonOf, tagsOf } from './doctor-finding.ts'
import { POLICY_PATH, policyHost } from './mta-sts.ts'

/** MX, DKIM, DMARC, MTA-STS and TLS-RPT of a domain. */
export function domainChecks(domain: string, { presence, probes }: Pick<DoctorDeps, 'presence' | 'probes'>): Check[] {
  const { dns } = probes
  const { mailHost, mtaSts } = presence
  const about = (
    check: string,
    look: (say: ReturnType<typeof findings>, records: DomainRecords) => Promise<Finding[]>,
  ): Check => [check, async () => look(findings(domain, check), await domainRecords(domain, presence))]
  /** Returns the records of a name that have a version. */
  const versioned = async (name: string, version: string): Promise<string[]> =>
    (await dns.txt(name)).filter((record) => new RegExp(`^${version}\\s*(?:;|$)`, 'i').test(record))

  return [
    about('MX', async (say, { mx }) => {
      const hosts = await dns.mx(domain)
      const advice = `set MX ${mx.value}`
      if (hosts.length === 0) return [say('fail', 'there is no record', advice)]
      if (!hosts.includes(mailHost)) return [say('fail', `mail goes to ${hosts.join(', ')}`, advice)]
      const others = hosts.filter((host) => host !== mailHost)
      if (others.length === 0) return [say('ok', mailHost)]
      return [
        say('warn', `mail also goes to ${others.join(', ')}`, 'see to it that it comes from there to the receiver'),
      ]
    }),

    about('DKIM', async (say, { dkim }) => {
      const advice = `set ${dkim.name} as mayfly dns ${domain} prints it`
      const records = await dns.txt(dkim.name)
      const [record] = records
      if (record === undefined) return [say('fail', 'there is no record', advice)]
      if (records.length > 1) return [say('fail', 'there are several records', advice)]
      const tags = tagsOf(record)
      const key = tags.get('p')?.replaceAll(/\s/g, '')
      if (key !== tagsOf(dkim.value).get('p')) return [say('fail', 'it is not the key of this service', advice)]
      if (/\by\b/.test(tags.get('t') ?? '')) return [say('warn', 'it says that it is a test (t=y)', 'leave t=y out')]
      return [say('ok', dkim.name)]
    }),

    about('DMARC', async (say, { dmarc }) => {
      const advice = `set ${dmarc.name} to ${dmarc.value}`
      // Without a record, that of the nearest parent counts (RFC 9989 4.10).
      const labels = domain.split('.')
      for (const [index] of labels.slice(0, -1).entries()) {
        const from = labels.slice(index).join('.')
        const records = await versioned(`_dmarc.${from}`, 'v=DMARC1')
        const [record] = records
        if (record === undefined) continue
        if (records.length > 1) return [say('fail', `_dmarc.${from} has several records`, advice)]
        const tags = tagsOf(record)
        const policy = (index > 0 ? tags.get('sp') : undefined) ?? tags.get('p') ?? 'none'
        const found = `${policy}, by _dmarc.${from}`
        if (!/^(?:reject|quarantine)$/i.test(policy)) return [say('warn', found, advice)]
        return [tags.has('rua') ? say('ok', found) : say('warn', `${found}, which names nobody for reports`, advice)]
      }
      return [say('fail', 'there is no record', advice)]
    }),

    about('MTA-STS', async (say, { mtaSts: record }) => {
      const advice = `set ${record.name} to ${record.value}`
      const [found, ...more] = await versioned(record.name, 'v=STSv1')
      if (found === undefined) {
        const unused = mtaSts.mode === 'none'
        return [unused ? say('ok', 'not in use') : say('fail', 'there is no record', advice)]
      }
      const host = policyHost(domain)
      const text = await probes.policy(host, POLICY_PATH).catch((error: unknown) => error as Error)
      if (typeof text !== 'string')
        return [
          say(
            'fail',
            `https://${host}${POLICY_PATH}: ${reasonOf(text)}`,
            `lead ${host} to the site, with a certificate`,
          ),
        ]
      if (text !== mtaSts.text) return [say('fail', `${host} has another policy`, 'lead it to this service')]
      if (more.length > 0) return [say('fail', 'there are several records', advice)]
      if (tagsOf(found).get('id') !== mtaSts.id)
        return [say('warn', 'the id is of another policy, so senders keep that one', advice)]
      return [say('ok', `${mtaSts.mode}, by ${host}`)]
    }),

    about('TLS-RPT', async (say, { tlsReports }) => {
      const advice = `set ${tlsReports.name} to ${tlsReports.value}`
      const [record] = await versioned(tlsReports.name, 'v=TLSRPTv1')
      const rua = record && tagsOf(record).get('rua')
      return [rua ? say('ok', rua) : say('warn', 'there is no record: nobody tells where TLS fails', advice)]
    }),
  ]
}
