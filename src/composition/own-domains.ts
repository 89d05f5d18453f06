import { firstDomain, mailHostOf, ourDomains } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import type { DomainRules } from '#core/own-domains/own-domain.ts'
import { DAY, HOUR } from '#core/time.ts'
import {
  createDomainChecks,
  createDomainRecipients,
  createIsOurs,
  createOwnDomains,
} from '#features/own-domains/index.ts'
import { createDns } from '#integrations/dns.ts'
import { createPeriodic } from '#lib/periodic.ts'
import type { Base } from './base.ts'
import type { Mailbox } from './mailbox.ts'

/** How often due domains are looked for. */
const CHECK_INTERVAL = HOUR / 6

/** Subscribers' own domains. */
export function composeOwnDomains(
  config: Config,
  { clock, logger, metrics, store, wrap, ends }: Base,
  { addresses }: Pick<Mailbox, 'addresses'>,
) {
  const rules: DomainRules = {
    interval: DAY,
    failingInterval: HOUR,
    failing: config.ownDomains.failingTime,
  }
  const recipients = createDomainRecipients({ store, clock, rules })
  const dns = createDns({ servers: config.server.dnsServers, timeout: config.ownDomains.lookupTimeout })
  const checks = createDomainChecks({
    store,
    dns,
    clock,
    metrics,
    wrap,
    mailHosts: [mailHostOf(config).toLowerCase(), firstDomain(config)],
    rules,
    onChange: recipients.forget,
  })
  const ownDomains = createOwnDomains({
    store,
    addresses,
    clock,
    wrap,
    checks,
    serviceDomains: [...config.server.domains, ...config.server.premiumDomains],
    rules: { ends, domains: rules, max: config.premium.ownDomains },
    onChange: recipients.forget,
  })
  const work = createPeriodic({
    store,
    clock,
    logger,
    name: 'check of own domains',
    interval: CHECK_INTERVAL,
    atStart: true,
    work: checks.recheck,
  })
  return {
    ownDomains,
    recipients,
    isOurs: createIsOurs(ourDomains(config), recipients),
    checks,
    /** The periodic check of the DNS records. */
    periodicChecks: {
      ...work,
      async stop() {
        const stopped = work.stop()
        // A name server that does not respond must not delay the stop.
        dns.close()
        await stopped
      },
    },
  }
}
