import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import { inBatches, BATCH_SIZE } from '#lib/batches.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { subscriberEmail } from './subscriber.ts'

/** Under which name the store remembers that it was done. */
const FACT = 'emails folded'

/**
 * Writes the emails of subscriptions anew that are from before look-alikes of ASCII letters were folded: emails go to the
 * mailbox that the account is named after, and its owner finds it. Done once; again, where it was cut short.
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
  if ((await store.ensureMetadata(FACT, 'no')) === 'yes') return
  for await (const { id, emailKey, sealedEmail } of inBatches((after) => store.subscriptions.list(BATCH_SIZE, after))) {
    // Empty if it is damaged. Then there is nothing to fold, and the service must start.
    const before = wrap.unwrapOrEmpty('email', sealedEmail, emailKey)
    // ASCII alone was never told apart by more than case.
    if (Buffer.byteLength(before) === before.length) continue
    try {
      const after = subscriberEmail(wrap, before)
      if (after.email === before && after.emailKey === emailKey) continue
      const folded = { emailKey: after.emailKey, sealedEmail: wrap.wrap('email', after.email, after.emailKey) }
      if (!(await store.subscriptions.setEmail(id, folded))) logger.warn({ id }, 'two subscriptions have one email')
    } catch (error) {
      // An email that would not be taken today stays as it is.
      logger.warn({ id, err: error }, 'email of a subscription not folded')
    }
  }
  await store.setMetadata(FACT, 'yes')
}
