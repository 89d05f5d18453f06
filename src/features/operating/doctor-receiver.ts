import type { ProbedReceiver } from '#core/operating/probes.ts'
import { DAY } from '#core/time.ts'
import {
  type Check,
  type DoctorDeps,
  type Finding,
  findings,
  describeError,
  describeProblem,
  expiring,
  isCertificateError,
} from './doctor-finding.ts'

/** The response of a blocklist to a resolver that it does not serve, such as a public one. */
const NO_SERVICE = /^127\.255\.255\.\d+$/

/**
 * Checks the receiver that the MX records name: its IP addresses, their names, port 25, the certificate and the
 * blocklists.
 */
export function receiverChecks({ presence, probes, blocklists, clock }: DoctorDeps): Check[] {
  const { dns } = probes
  const { mailHost, mtaSts } = presence
  // Looked up once. Only the check of the addresses reports a failure.
  const addresses = dns.addresses(mailHost)
  const known = addresses.catch((): string[] => [])
  const receivers = new Map<string, Promise<ProbedReceiver>>()
  const receiver = (address: string): Promise<ProbedReceiver> => {
    const probed = receivers.get(address) ?? probes.receiver(address, mailHost)
    receivers.set(address, probed)
    return probed
  }
  /** Creates a check that runs for each IP address. A failure for one address does not hide the others. */
  const ofEach = (
    check: string,
    checkAddress: (address: string, report: ReturnType<typeof findings>) => Promise<Finding>,
  ): Check => [
    check,
    async () =>
      Promise.all(
        (await known).map((address) => {
          const report = findings(address, check)
          return checkAddress(address, report).catch((error: unknown) => report('fail', describeError(error)))
        }),
      ),
  ]

  return [
    [
      'A/AAAA',
      async () => {
        const report = findings(mailHost, 'A/AAAA')
        const [found, cname] = await Promise.all([addresses, dns.cname(mailHost)])
        if (found.length === 0) return [report('fail', 'no IP address', 'set A and AAAA records')]
        if (cname.length > 0)
          return [
            report(
              'fail',
              `CNAME of ${cname[0]}, which is not allowed (RFC 2181 10.3)`,
              'set A and AAAA records instead',
            ),
          ]
        return [report('ok', found.join(', '))]
      },
    ],

    ofEach('PTR', async (address, report) => {
      const advice = `set it to ${mailHost}. at the provider of the address`
      const names = await dns.names(address)
      const [name] = names
      if (name === undefined) return report('fail', 'no record found', advice)
      if (names.includes(mailHost)) return report('ok', mailHost)
      // Another name is acceptable if it resolves to the address (RFC 8601 3).
      const isConfirmed = (await dns.addresses(name)).includes(address)
      return isConfirmed
        ? report('warn', name, advice)
        : report('fail', `${name} does not resolve to this address`, advice)
    }),

    ofEach('Port 25', async (address, report) => {
      const probed = await receiver(address).catch(describeError)
      if (typeof probed === 'string')
        return report('fail', probed, 'check that the port is open on this host and in the network of its provider')
      const { greeting, certificate } = probed
      const [name = ''] = greeting.toLowerCase().split(' ')
      if (name !== mailHost)
        return report('fail', `another server responds: ${greeting}`, 'forward port 25 to this service')
      if (certificate === null) return report('fail', 'no STARTTLS', 'check whether a firewall or proxy removes it')
      return report('ok', `${greeting}, STARTTLS`)
    }),

    ofEach('Certificate', async (address, report) => {
      const advice = 'set MAYFLY_SMTP_TLS_CERT_FILE and MAYFLY_SMTP_TLS_KEY_FILE'
      // The previous check reports a receiver that does not respond.
      const probed = await receiver(address).catch(() => undefined)
      if (!probed?.certificate) return report('warn', 'not available without STARTTLS')
      const { problem, validTo } = probed.certificate
      const level = mtaSts.mode === 'none' ? 'warn' : 'fail'
      if (problem !== null) return report(level, describeProblem(problem), advice)
      const days = Math.floor((validTo - clock()) / DAY)
      return expiring(report, validTo, clock()) ?? report('ok', `valid for ${days} days`)
    }),

    ...blocklists.map((list) =>
      ofEach(list, async (address, report) => {
        const responses = await dns.listed(address, list).catch((error: unknown) => describeError(error))
        if (typeof responses === 'string') return report('warn', responses)
        if (responses.length === 0) return report('ok', 'not listed')
        if (responses.some((response) => NO_SERVICE.test(response)))
          return report('warn', 'the list does not serve this resolver', 'set MAYFLY_DNS_SERVERS to your own resolver')
        // Blocklists return only 127.0.0.0/8 (RFC 5782 2.1), so this list no longer exists.
        if (!responses.every((response) => response.startsWith('127.')))
          return report(
            'warn',
            `${responses.join(', ')} is not a response of a blocklist`,
            'remove the list from MAYFLY_BLOCKLISTS',
          )
        return report('fail', `listed: ${responses.join(', ')}`, 'ask the list for the reason and for removal')
      }),
    ),
  ]
}

const RELAY_ADVICE = 'check MAYFLY_OUTBOUND_URL'
const CERTIFICATE_ADVICE =
  'add ?tls.servername=NAME for the name in the certificate, ?tls.rejectUnauthorized=false to accept any, or ?ignoreTLS=true to use none'

/** Checks that the relay is reachable, offers TLS if it is required, and accepts the credentials. */
export const relayCheck = ({ probes: { relay } }: Pick<DoctorDeps, 'probes'>): Check => [
  'Relay',
  async () => {
    const report = findings(relay?.host ?? 'no relay', 'Relay')
    if (!relay) {
      const found = 'emails are only written to the outbox, and a public site forwards nothing'
      return [report('warn', found, 'set MAYFLY_OUTBOUND_URL')]
    }
    return relay.verify().then(
      () => [report('ok', 'reachable, and accepts the credentials if they are set')],
      (error: unknown) => {
        const advice = isCertificateError(error) ? `${RELAY_ADVICE}; ${CERTIFICATE_ADVICE}` : RELAY_ADVICE
        return [report('fail', describeError(error), advice)]
      },
    )
  },
]
