import type { AddressStore, NewAddress } from '#core/mailbox/address.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Clock } from '#core/time.ts'
import { deriveKeys, nameKey, operatorSecret } from '#mail/sealing/keys.ts'
import { addressPlace } from '#mail/sealing/place.ts'
import type { Seal } from '#mail/sealing/seal.ts'

/**
 * The name of the operator mailbox, which receives the messages to postmaster@ and abuse@ of every domain. No sender
 * can use this name as a recipient.
 */
export const OPERATOR_NAME = 'operator'

/**
 * Creates the operator mailbox if it does not exist, and returns its secret. The secret is derived from the service
 * key, so only the holder of that key can read the mailbox.
 */
export async function ensureOperatorMailbox(deps: {
  store: AddressStore
  clock: Clock
  seal: Seal
  serviceKey: Uint8Array
}): Promise<string> {
  const secret = operatorSecret(deps.serviceKey)
  const keys = deriveKeys(secret)
  if (!keys) throw new Error('The operator secret is malformed')
  const now = deps.clock()
  if (await deps.store.find(keys.id, now)) return secret
  const mailbox: NewAddress = {
    id: keys.id,
    nameKey: nameKey(deps.serviceKey, OPERATOR_NAME),
    publicKey: keys.publicKey,
    sealedName: deps.seal(
      keys.publicKey,
      addressPlace('name', { id: keys.id, createdAt: now }),
      Buffer.from(OPERATOR_NAME),
    ),
    lifetime: 'operator',
    createdAt: now,
    expiresAt: NEVER,
    heldUntil: NEVER,
  }
  await deps.store.claim(mailbox, now).catch(async (error: unknown) => {
    // Another node that started at the same time may have created it.
    if (!(await deps.store.find(keys.id, now))) throw error
  })
  return secret
}
