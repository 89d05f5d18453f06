import { isIP } from 'node:net'
import { keyExposure } from '#config/secret-key.ts'
import { configuredSite, firstDomain, mailHostOf, siteWarnings } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { isLocalSite } from '#core/local-site.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import { type Clock, HOUR, SECOND } from '#core/time.ts'
import { type SigningKeyOf, createOutboxReader } from '#features/email/index.ts'
import { type Presence, createBindWraps, createDoctor, createMtaSts, spfTerms } from '#features/operating/index.ts'
import { createDns } from '#integrations/dns.ts'
import { outboxFiles } from '#integrations/outbox.ts'
import { hostOf } from '#integrations/pinned-address.ts'
import { relayProbe } from '#integrations/relay-probe.ts'
import { probeReceiver } from '#integrations/smtp-probe.ts'
import { isOwnAddress, probeWeb } from '#integrations/web-probe.ts'
import { createPeriodic, type Periodic } from '#lib/periodic.ts'
import { recipientParts } from '#mail/email-address.ts'
import type { Base } from './base.ts'
import { operatorAddressWarning } from './operator-address.ts'
import { outboxDirectory } from './outbound.ts'

/** The service as DNS, receiver and site should present it. */
export function composePresence(config: Config, { signingKey }: { signingKey: SigningKeyOf }): Presence {
  const first = firstDomain(config)
  const domains = [
    ...new Set([...config.server.domains, ...config.server.premiumDomains, config.forwarding.domain ?? first]),
  ]
  const mailHost = mailHostOf(config).toLowerCase()
  const site = configuredSite(config)
  const { domain: sender } = recipientParts(config.email.from ?? `@${first}`)
  return {
    domains,
    senderDomain: domains.includes(sender) ? undefined : sender,
    mailHost,
    senders: spfTerms(config.operating.spf, config.email.relayUrl, mailHost),
    signingKey,
    mtaSts: createMtaSts({
      domains,
      mailHost,
      mode: config.operating.mtaSts,
      maxAge: config.operating.mtaStsMaxAge / SECOND,
    }),
    siteHost: isLocalSite(site) || isIP(hostOf(new URL(site))) !== 0 ? null : hostOf(new URL(site)),
  }
}

/** Binds the wrapped values of the previous version to their rows. Every node runs it (`createBindWraps`). */
export const bindingWork = ({ store, wrap, clock, logger, boundFrom }: Base): Periodic =>
  createPeriodic({
    clock,
    logger,
    name: 'binding of wrapped values',
    interval: HOUR,
    atStart: true,
    work: createBindWraps({ store, wrap, clock, logger, boundFrom }),
  })

/** What only commands of the operator need. The options are for tests. */
export function composeOperating(
  config: Config,
  {
    presence,
    clock,
    reader,
    store,
    key,
  }: { presence: Presence; clock: Clock; reader: MailReader } & Partial<Pick<Base, 'store' | 'key'>>,
  options: { mailPort?: number; webPort?: number; ca?: string; isOwnAddress?: typeof isOwnAddress } = {},
) {
  const { ca } = options
  const timeout = config.operating.doctorTimeout
  const dns = createDns({ servers: config.server.dnsServers, timeout })
  const { addresses } = dns
  return {
    outbox: createOutboxReader({ files: outboxFiles(outboxDirectory(config)), reader }),
    doctor: createDoctor({
      presence,
      clock,
      siteUrl: isLocalSite(configuredSite(config)) ? null : (config.server.publicUrl ?? null),
      httpPort: config.server.httpPort,
      siteWarnings: siteWarnings(config),
      keyExposure: () => keyExposure(config),
      operatorAddress: async () => store && key && operatorAddressWarning(config, { store, key, clock }),
      blocklists: config.operating.blocklists,
      probes: {
        dns,
        receiver: (address, name) => probeReceiver(address, name, { port: options.mailPort ?? 25, timeout, ca }),
        web: (url) => probeWeb(url, { port: options.webPort ?? 443, timeout, ca, addresses }),
        isOwnAddress: options.isOwnAddress ?? isOwnAddress,
        relay: config.email.relayUrl === undefined ? undefined : relayProbe({ url: config.email.relayUrl, timeout }),
      },
    }),
    close: () => dns.close(),
  }
}
