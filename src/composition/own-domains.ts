import type { Config } from '#config/table.ts'
import type { EndRules } from '#core/billing/subscription.ts'
import type { DomainRules } from '#core/own-domains/own-domain.ts'
import { createDomainChecks, createDomainRecipients, createOwnDomains } from '#features/own-domains/index.ts'
import { createDns } from '#integrations/dns.ts'
import { createPeriodic } from '#lib/periodic.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { PremiumBase } from './base.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
/** How often it is looked which domains are due. */
const CHECK_INTERVAL = HOUR / 6

/** The wiring diagram of own domains: a part of that of Premium. */
export function assembleOwnDomains(
  config: Config,
  { clock, logger, metrics, store, addresses, wrap, ends }: PremiumBase & { wrap: Wrap; ends: EndRules },
) {
  const rules: DomainRules = {
    interval: config.DOMAIN_CHECK_HOURS * HOUR,
    failing: config.DOMAIN_FAILING_DAYS * DAY,
  }
  const [first = 'localhost'] = config.DOMAINS
  const recipients = createDomainRecipients({ store, clock, rules })
  const dns = createDns({ servers: config.DNS_SERVERS, timeout: config.DOMAIN_LOOKUP_SECONDS * SECOND })
  const checks = createDomainChecks({
    store,
    dns,
    clock,
    metrics,
    wrap,
    mailHosts: [config.SMTP_HOSTNAME?.toLowerCase() ?? first, first],
    rules,
    onChange: recipients.forget,
  })
  const ownDomains = createOwnDomains({
    store,
    addresses,
    clock,
    wrap,
    checks,
    serviceDomains: [...config.DOMAINS, ...config.PREMIUM_DOMAINS],
    rules: { ends, domains: rules, max: config.PREMIUM_OWN_DOMAINS_MAX },
    onChange: recipients.forget,
  })
  const work = createPeriodic({
    store,
    clock,
    logger,
    name: 'check of own domains',
    interval: CHECK_INTERVAL,
    atStart: true,
    work: (stopping) => checks.recheck(stopping),
  })
  return {
    ownDomains,
    domainRecipient: recipients.recipient,
    work: {
      ...work,
      async stop() {
        const stopped = work.stop()
        // A name server that doesn't answer must not hold a stop up.
        dns.close()
        await stopped
      },
    },
  }
}
