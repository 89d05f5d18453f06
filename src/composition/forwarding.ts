import { forwardingTransport } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { createForwardingConsent, createForwardings, createIsOurs } from '#features/forwarding/index.ts'
import type { DomainRecipients } from '#features/own-domains/index.ts'
import { pathIn } from '#locales/languages.ts'
import { createMarks } from '#mail/forwarding/mark.ts'
import type { Base } from './base.ts'
import { composeForwardingSender } from './forwarding-sender.ts'
import type { Mailbox } from './mailbox.ts'

/** Listed forwardings of one address. The oldest ended ones are removed for new ones. */
const LISTED_MAX = 10
/** Consent emails: to all destinations under one domain, and in total. */
const ASKS_PER_DOMAIN_PER_DAY = 2000
const ASKS_IN_ALL = { perHour: 2000, perDay: 10_000 }
/** How long the link in a consent email works. */
const LINK_HOURS = 24

/** Forwarding to real email addresses. */
export function composeForwarding(
  config: Config,
  base: Base,
  { messages }: Pick<Mailbox, 'messages'>,
  ownDomains: Pick<DomainRecipients, 'recipient'>,
) {
  const { clock, logger, metrics, store, emails, wrap, site } = base
  const way = forwardingTransport(config)
  const domain = config.forwarding.domain ?? config.server.domains[0] ?? 'localhost'
  const hosts = [domain, config.smtp.hostname?.toLowerCase()].filter((host) => host !== undefined)
  const isOurs = createIsOurs([...config.server.domains, ...config.server.premiumDomains, ...hosts], ownDomains)
  const marks = createMarks(base.key)
  const linkUrl =
    (kind: 'confirm' | 'stop') =>
    (language: string, token: string): string =>
      site.url + pathIn(language, `/forwarded?${kind}=${token}`)
  const destinationLimits = { free: config.forwarding.destinations, subscription: config.premium.destinations }
  const forwardings = createForwardings({
    store: store.forwardings,
    jobs: store.forwardingJobs,
    messages,
    emails,
    wrap,
    clock,
    metrics,
    available: way,
    isOurs,
    confirmUrl: linkUrl('confirm'),
    destinationLimits,
    limits: { asksPerDay: config.forwarding.asksPerDay, rows: LISTED_MAX },
    askLimits: {
      domain: { perHour: config.forwarding.asksPerDomainPerHour, perDay: ASKS_PER_DOMAIN_PER_DAY },
      all: ASKS_IN_ALL,
    },
    days: config.forwarding.days,
    linkHours: LINK_HOURS,
    pageSize: config.mailbox.pageSize,
  })
  const forwardingConsent = createForwardingConsent({
    store: store.forwardings,
    addresses: store.addresses,
    emails,
    marks,
    wrap,
    clock,
    logger,
    metrics,
    stopUrl: linkUrl('stop'),
    destinationLimits,
    lifetimes: base.lifetimes,
    days: config.forwarding.days,
  })
  const sending = composeForwardingSender(config, {
    ...base,
    way,
    isOurs,
    domain,
    marks,
    destinationLimits,
    stopUrl: linkUrl('stop'),
  })
  return { forwardings, forwardingConsent, ...sending, forwardDomain: domain }
}
