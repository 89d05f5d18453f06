import type { Subscription } from '#core/billing/subscription.ts'
import { METADATA, type Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import { inBatches } from '#lib/batches.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { subscriberEmail } from './subscriber.ts'

/**
 * Rewrites the emails of subscriptions that were stored before look-alikes of ASCII letters were folded. Emails then go
 * to the mailbox after which the account is named, and its owner finds the account. Runs once, and again if it was
 * interrupted.
 */
export async function foldEmails({
  store,
  wrap,
  logger,
}: {
  store: Pick<Store, 'subscriptions' | 'ensureMetadata' | 'setMetadata'>
  wrap: Wrap
  logger: Logger
}): Promise<void> {
  if ((await store.ensureMetadata(METADATA.emailsFolded, 'no')) === 'yes') return
  for await (const { id, emailKey, sealedEmail } of inBatches<Subscription>((limit, after) =>
    store.subscriptions.list(limit, after?.id),
  )) {
    // Empty if it is damaged. Then there is nothing to fold, and the service must start.
    const stored = wrap.unwrapOrEmpty('email', sealedEmail, emailKey)
    // Folding changes only non-ASCII letters: the older version already ignored the case of ASCII letters.
    if (Buffer.byteLength(stored) === stored.length) continue
    try {
      const folded = subscriberEmail(wrap, stored)
      if (folded.email === stored && folded.emailKey === emailKey) continue
      const { email, emailKey: key } = folded
      const change = { emailKey: key, sealedEmail: wrap.wrap('email', email, key) }
      if (!(await store.subscriptions.setEmail(id, change))) logger.warn({ id }, 'two subscriptions have one email')
    } catch (error) {
      // Keeps an email that is no longer valid.
      logger.warn({ id, err: error }, 'email of a subscription not folded')
    }
  }
  await store.setMetadata(METADATA.emailsFolded, 'yes')
}
