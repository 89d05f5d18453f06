import type { Subscription } from '#core/billing/subscription.ts'
import { isStoreFault, MayflyError } from '#core/errors.ts'
import type { AddressId } from '#core/ids.ts'
import type { Addresses, Secrets } from '#features/mailbox/index.ts'
import type { KeptAddresses } from './kept-addresses.ts'

/** How often a secret is replaced. Another node may do so at the same time, and then the first attempt fails. */
const ATTEMPTS = 3

interface LockOutDeps {
  kept: Pick<KeptAddresses, 'listAndRestore' | 'open'>
  secrets: Pick<Secrets, 'replace'>
  addresses: Pick<Addresses, 'removeRow'>
}

/**
 * Locks other browsers out of all addresses of a subscription. One that gets no new secret is removed: its holder used
 * up all replacements, it can no longer be opened, or it has expired and would be restored under the old secret.
 * None of these must keep the owner out.
 */
export function createLockOut({ kept, secrets, addresses }: LockOutDeps) {
  async function isReplaced(subscription: Subscription, id: AddressId, attempts = ATTEMPTS): Promise<boolean> {
    try {
      await secrets.replace((await kept.open(subscription, id)).open)
      return true
    } catch (error) {
      if (!(error instanceof MayflyError) || isStoreFault(error)) throw error
      return attempts > 1 && isReplaced(subscription, id, attempts - 1)
    }
  }

  return async (subscription: Subscription): Promise<void> => {
    for (const { id, alive, private: isPrivate } of await kept.listAndRestore(subscription)) {
      if (isPrivate || (alive && (await isReplaced(subscription, id)))) continue
      await addresses.removeRow({ id, subscriptionId: subscription.id }, false)
    }
  }
}
