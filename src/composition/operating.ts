import { join } from 'node:path'
import { keyExposure } from '#config/secret-key.ts'
import { configuredSite, exposureOf, mailHostOf } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import type { Outbound } from '#core/email/email.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, HOUR, SECOND } from '#core/time.ts'
import { type SigningKeyOf, createOutboxReader } from '#features/email/index.ts'
import { type Presence, createDoctor, createMtaSts, spfTerms } from '#features/operating/index.ts'
import { createDns } from '#integrations/dns.ts'
import { createRelay } from '#integrations/outbound.ts'
import { createOutbox, outboxFiles } from '#integrations/outbox.ts'
import { hostOf } from '#integrations/pinned-address.ts'
import { probePolicy } from '#integrations/policy-probe.ts'
import { relayProbe } from '#integrations/relay-probe.ts'
import { probeReceiver } from '#integrations/smtp-probe.ts'
import { createPeriodic, type Periodic } from '#lib/periodic.ts'

const outboxDirectory = (config: Config): string => join(config.storage.directory, 'outbox')

/** Where mail leaves: through the relay, or, without one, into files. `from`: of mails that have no envelope of their own. */
export function assembleOutbound(
  config: Config,
  { from, maxConnections, clock, logger }: { from: string; maxConnections: number; clock: Clock; logger: Logger },
): Outbound {
  const { relayUrl: url } = config.email
  if (url === undefined) return createOutbox(outboxDirectory(config), { from, clock, logger })
  const timeout = config.email.timeout
  return createRelay({ url, name: mailHostOf(config), from, timeout, maxConnections })
}

/** The service as DNS, receiver and site should show it. */
export function assemblePresence(config: Config, { signingKey }: { signingKey: SigningKeyOf }): Presence {
  const [first = 'localhost'] = config.server.domains
  const domains = [
    ...new Set([...config.server.domains, ...config.server.premiumDomains, config.forwarding.domain ?? first]),
  ]
  const mailHost = mailHostOf(config).toLowerCase()
  return {
    domains,
    mailHost,
    senders: spfTerms(config.operating.spf, config.email.relayUrl, mailHost),
    signingKey,
    mtaSts: createMtaSts({
      domains,
      mailHost,
      mode: config.operating.mtaSts,
      maxAge: config.operating.mtaStsMaxAge / SECOND,
    }),
    siteHost: config.server.publicUrl === undefined ? null : hostOf(new URL(configuredSite(config))),
  }
}

/** Removes old mails from the outbox of this node: each has its own, so it is nobody's turn. */
export function outboxPruning(config: Config, { clock, logger }: { clock: Clock; logger: Logger }): Periodic {
  const files = outboxFiles(outboxDirectory(config))
  return createPeriodic({
    store: { isLeader: async () => true },
    clock,
    logger,
    name: 'pruning of the outbox',
    interval: HOUR,
    atStart: true,
    work: async () => void (await files.prune(clock() - config.email.outboxTime)),
  })
}

/** What only commands of the operator need. The ports, and whom to trust instead of the usual authorities, are for tests. */
export function assembleOperating(
  config: Config,
  { presence, clock, reader }: { presence: Presence; clock: Clock; reader: MailReader },
  { mailPort = 25, policyPort = 443, ca }: { mailPort?: number; policyPort?: number; ca?: string } = {},
) {
  const timeout = config.operating.doctorTimeout
  const dns = createDns({ servers: config.server.dnsServers, timeout })
  const { addresses } = dns
  return {
    outbox: createOutboxReader({ files: outboxFiles(outboxDirectory(config)), reader }),
    doctor: createDoctor({
      presence,
      clock,
      exposure: exposureOf(config),
      keyExposure: () => keyExposure(config),
      blocklists: config.operating.blocklists,
      probes: {
        dns,
        receiver: (address, name) => probeReceiver(address, name, { port: mailPort, timeout, ca }),
        policy: (host, path) => probePolicy(host, path, { port: policyPort, timeout, ca, addresses }),
        relay: config.email.relayUrl === undefined ? undefined : relayProbe({ url: config.email.relayUrl, timeout }),
      },
    }),
    close: () => dns.close(),
  }
}
