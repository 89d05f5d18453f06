import { firstDomain, forwardingTransport } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import type { IsOurs } from '#core/mailbox/domain.ts'
import { createForwardingConsent, createForwardings } from '#features/forwarding/index.ts'
import { createForwardingMarks } from '#mail/forwarding/mark.ts'
import type { Base } from './base.ts'
import { composeForwardingSender } from './forwarding-sender.ts'
import type { Mailbox } from './mailbox.ts'

/** How long the link in a consent email works. */
const LINK_HOURS = 24

/** Forwarding to real email addresses. */
export function composeForwarding(config: Config, base: Base, { messages }: Pick<Mailbox, 'messages'>, isOurs: IsOurs) {
  const { clock, logger, metrics, store, emails, wrap, limits } = base
  const transport = forwardingTransport(config)
  const domain = config.forwarding.domain ?? firstDomain(config)
  const marks = createForwardingMarks(base.key)
  const linkUrl =
    (kind: 'confirm' | 'stop') =>
    (language: string, token: string): string =>
      base.pageUrl(`/forwarded?${kind}=${token}`)(language)
  const destinationLimits = { free: config.forwarding.destinations, subscription: config.premium.destinations }
  const forwardings = createForwardings({
    store: store.forwardings,
    jobs: store.forwardingJobs,
    messages,
    emails,
    wrap,
    clock,
    metrics,
    available: transport,
    isOurs,
    confirmUrl: linkUrl('confirm'),
    destinationLimits,
    limits: { asksPerDay: config.forwarding.asksPerDay, rows: limits.forwardingsListed },
    askLimits: {
      domain: { perHour: config.forwarding.asksPerDomainPerHour, perDay: limits.consentEmailsPerDomainPerDay },
      all: limits.consentEmails,
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
  const sending = composeForwardingSender(config, base, {
    transport,
    isOurs,
    domain,
    marks,
    destinationLimits,
    stopUrl: linkUrl('stop'),
  })
  return { forwardings, forwardingConsent, ...sending, forwardDomain: domain }
}
