import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { forwardingTransport } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { createLibrary } from '#content/library.ts'
import { SECOND } from '#core/time.ts'
import { shareLimits } from '#http/limits/shared-limits.ts'
import { composeAccount } from './account.ts'
import { composeBase, type Overrides } from './base.ts'
import { composeBilling } from './billing.ts'
import { composeCompat } from './compat.ts'
import { figuresOf } from './figures.ts'
import { composeForwarding } from './forwarding.ts'
import { composeMailbox } from './mailbox.ts'
import { bindingWork, composePresence } from './operating.ts'
import { outboxPruning } from './outbound.ts'
import { composeOwnDomains } from './own-domains.ts'
import { composeProviders } from './payments.ts'
import { composePush } from './push.ts'
import { composeReceiving } from './receiving.ts'
import { composeWebhooks } from './webhooks.ts'

/** How long a stop waits for summaries, emails and webhook calls in progress. */
const GRACE = 2 * SECOND
/** How long a stop waits for a step of periodic work, such as a request to a payment provider. */
const PERIODIC_GRACE = 5 * SECOND

/** The use cases with their real dependencies. The servers and the command line are built on them. */
export type Services = Awaited<ReturnType<typeof compose>>

/**
 * The wiring of the program. Use cases get their dependencies as arguments. Only this folder chooses the
 * implementations.
 */
export async function compose(config: Config, overrides: Overrides = {}) {
  const base = await composeBase(config, overrides)
  const { webhooks, webhookSender } = composeWebhooks(config, base)
  const mailbox = composeMailbox(config, base, overrides.announcer ?? webhooks.announcer)
  const push = composePush(config, base)
  const domains = composeOwnDomains(config, base, mailbox)
  const providers = overrides.providers
    ? { all: overrides.providers, sandbox: undefined }
    : await composeProviders(config, base)
  const billing = composeBilling(config, base, providers, domains.isOurs)
  const account = composeAccount(config, base, mailbox, {
    ownDomains: domains.ownDomains,
    providers: providers.all,
    billing: billing.billing,
  })
  const forwarding = composeForwarding(config, base, mailbox, domains.isOurs)
  const compat = composeCompat(config, base, mailbox)
  const receiving = composeReceiving(config, base, mailbox, forwarding, domains.recipients, {
    catchAll: compat.catchAll,
    onKept: ({ addressId, id }) => push.pushes.announce(addressId, id),
  })
  const presence = composePresence(config, base)
  const periodic = [
    mailbox.sweep,
    ...billing.billingWork,
    domains.periodicChecks,
    bindingWork(base),
    outboxPruning(config, base),
  ]
  shareLimits(account.signIn.rates, base.channel, base.limitKey)

  return {
    ...base,
    ...mailbox,
    ...billing,
    ...account,
    ...forwarding,
    ...receiving,
    ...push,
    compat,
    ownDomains: domains.ownDomains,
    domainRecipients: domains.recipients,
    domainChecks: domains.checks,
    webhooks,
    webhookSender,
    presence,
    mtaSts: presence.mtaSts,
    library: createLibrary(fileURLToPath(new URL('../../content', import.meta.url)), {
      forwarding: forwardingTransport(config) !== 'none',
      premiumDomains: config.server.premiumDomains.length > 0,
      figures: figuresOf(config, () => base.site.url),
    }),
    /** Work that repeats while the servers run. */
    periodic,
    /** Everything acknowledged is already on disk. This lets work in progress finish. */
    async close() {
      // All at once, so that nothing takes new jobs while another part still stops.
      await Promise.all([
        // The transactions of periodic work are complete or have no effect.
        Promise.race([
          Promise.all(periodic.map((each) => each.stop())),
          setTimeout(PERIODIC_GRACE, undefined, { ref: false }),
        ]),
        account.signIn.settled().then(() => base.emails.stop(GRACE)),
        forwarding.forwardingSender.stop(),
        webhookSender.stop(GRACE),
        push.pushSender.stop(GRACE),
      ])
      await base.outbound.close()
      // A summary is a cache, so a name server that does not respond must not delay the stop.
      await Promise.race([mailbox.summaries.settled(), setTimeout(GRACE, undefined, { ref: false })])
      mailbox.summaries.stopLogging()
      await mailbox.deliveryLog.settled()
      await base.closeThreads()
      await base.store.close()
    },
  }
}
