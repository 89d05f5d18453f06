import type { ProbedReceiver } from '#core/operating/probes.ts'
import { DAY } from '#core/time.ts'
import { type Check, type DoctorDeps, type Finding, findings, reasonOf } from './doctor-finding.ts'

/** A certificate that is renewed automatically would have been replaced this many days before it expires. */
const RENEWED_DAYS = 14
/** Responses of blocklists to resolvers that they don't serve, such as public ones. */
const NO_SERVICE = /^127\.255\.255\.\d+$/

/** The receiver behind the MX records: its addresses, their names, the mail port, the certificate, blocklists. */
export function receiverChecks({ presence, probes, blocklists, clock }: DoctorDeps): Check[] {
  const { dns } = probes
  const { mailHost, mtaSts } = presence
  // Asked once. Only the check of the addresses reports a failure.
  const addresses = dns.addresses(mailHost)
  const known = addresses.catch((): string[] => [])
  const receivers = new Map<string, Promise<ProbedReceiver>>()
  const receiver = (address: string): Promise<ProbedReceiver> => {
    const probed = receivers.get(address) ?? probes.receiver(address, mailHost)
    receivers.set(address, probed)
    return probed
  }
  /** Checks each IP address. A failure of one does not hide the others. */
  const ofEach = (
    check: string,
    look: (address: string, say: ReturnType<typeof findings>) => Promise<Finding>,
  ): Check => [
    check,
    async () =>
      Promise.all(
        (await known).map((address) => {
          const say = findings(address, check)
          return look(address, say).catch((error: unknown) => say('fail', reasonOf(error)))
        }),
      ),
  ]

  return [
    [
      'A/AAAA',
      async () => {
        const say = findings(mailHost, 'A/AAAA')
        const [found, cname] = await Promise.all([addresses, dns.cname(mailHost)])
        if (found.length === 0) return [say('fail', 'it has no IP address', 'set A and AAAA records')]
        if (cname.length > 0)
          return [say('fail', `it is a CNAME of ${cname[0]} (RFC 2181 10.3)`, 'set A and AAAA records instead')]
        return [say('ok', found.join(', '))]
      },
    ],

    ofEach('PTR', async (address, say) => {
      const advice = `set it to ${mailHost}. where you rent the address`
      const names = await dns.names(address)
      const [name] = names
      if (name === undefined) return say('fail', 'there is no record', advice)
      if (names.includes(mailHost)) return say('ok', mailHost)
      // Another name is accepted if it resolves back (RFC 8601 3).
      const leadsBack = (await dns.addresses(name)).includes(address)
      return leadsBack ? say('warn', name, advice) : say('fail', `${name} does not lead back`, advice)
    }),

    ofEach('Port 25', async (address, say) => {
      const probed = await receiver(address).catch(reasonOf)
      if (typeof probed === 'string')
        return say('fail', probed, 'see whether it is open, here and in the network of whom you rent the machine from')
      const { greeting, certificate } = probed
      const [name = ''] = greeting.toLowerCase().split(' ')
      if (name !== mailHost) return say('fail', `another server answers: ${greeting}`, 'lead port 25 to this service')
      if (certificate === null)
        return say('fail', 'it offers no STARTTLS', 'see whether something before it takes it away')
      return say('ok', `${greeting}, STARTTLS`)
    }),

    ofEach('Certificate', async (address, say) => {
      const advice = 'set MAYFLY_SMTP_TLS_CERT_FILE and MAYFLY_SMTP_TLS_KEY_FILE'
      // A server that does not respond is reported by the check before.
      const probed = await receiver(address).catch(() => undefined)
      if (!probed?.certificate) return say('warn', 'it could not be seen')
      const { problem, validTo } = probed.certificate
      const bad = mtaSts.mode === 'none' ? 'warn' : 'fail'
      if (problem !== null) return say(bad, PROBLEMS[problem] ?? problem, advice)
      const days = Math.floor((validTo - clock()) / DAY)
      return days < RENEWED_DAYS
        ? say('warn', `valid for ${days} more days`, 'see whether it is renewed')
        : say('ok', `valid for ${days} days`)
    }),

    ...blocklists.map((list) =>
      ofEach(list, async (address, say) => {
        const answers = await dns.listed(address, list).catch((error: unknown) => reasonOf(error))
        if (typeof answers === 'string') return say('warn', answers)
        if (answers.length === 0) return say('ok', 'not listed')
        if (answers.some((answer) => NO_SERVICE.test(answer)))
          return say('warn', 'it does not answer this resolver', 'set MAYFLY_DNS_SERVERS to a resolver of your own')
        // Other results are not from a blocklist (RFC 5782 2.1): the list no longer exists.
        if (!answers.every((answer) => answer.startsWith('127.')))
          return say('warn', `it answers ${answers.join(', ')}, as no list does`, 'take it out of MAYFLY_BLOCKLISTS')
        return say('fail', `listed: ${answers.join(', ')}`, 'ask there why, and to be taken off')
      }),
    ),
  ]
}

/** Error codes of OpenSSL and Node that operators meet. */
const PROBLEMS: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-made',
  SELF_SIGNED_CERT_IN_CHAIN: 'it is of an authority that nobody knows',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its chain is not whole',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its chain is not whole',
  CERT_HAS_EXPIRED: 'it has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it has another name',
}

/** The relay: it is reachable, uses TLS if required, and accepts the password. */
export const relayCheck = ({ probes: { relay } }: Pick<DoctorDeps, 'probes'>): Check => [
  'Relay',
  async () => {
    const say = findings(relay?.host ?? 'no relay', 'Relay')
    if (!relay) {
      const found = 'mails of the service go to the outbox, and nothing is forwarded from a public site'
      return [say('warn', found, 'set MAYFLY_OUTBOUND_URL')]
    }
    return relay.verify().then(
      () => [say('ok', 'it can be reached and lets us in')],
      (error: unknown) => [say('fail', reasonOf(error), 'see MAYFLY_OUTBOUND_URL')],
    )
  },
]
