import { keptRow } from '#core/account/kept-address.ts'
import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { SecretChange } from '#core/mailbox/secret-change.ts'
import { newSecret } from '#core/mailbox/secret.ts'
import type { Clock } from '#core/time.ts'
import { openRingIfIntact, sealRing } from '#mail/sealing/key-ring.ts'
import { deriveKeys } from '#mail/sealing/keys.ts'
import type { Opener } from '#mail/sealing/open.ts'
import { addressPlace } from '#mail/sealing/place.ts'
import type { Seal } from '#mail/sealing/seal.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { OpenAddress, OpenedAddress } from './claims.ts'

/** The maximum number of earlier keys of an address. Opening an old message may try all of them. */
export const EARLIER_KEYS_MAX = 20

/** An address with its new secret, and the change to store. */
interface Replacement extends OpenedAddress {
  change: SecretChange
}

export interface Secrets {
  /**
   * Derives a new secret for an address without storing it. Stored messages do not change. The earlier keys are sealed
   * to the new public key. Throws `too_many_requests` if the secret was replaced too often to keep all earlier keys,
   * `invalid_request` if `secret` is malformed, and `unauthorized` for the operator mailbox.
   */
  replacement(open: OpenAddress, secret?: string): Replacement
  /**
   * Replaces the secret of an address. From then on the old secret opens nothing, and streams opened with it end. A
   * client that passes its own `secret` has it even if the response is lost. Throws like `replacement`, and
   * `unauthorized` if the secret was replaced or the address was deleted in the meantime, or if another address uses
   * the new secret.
   */
  replace(open: OpenAddress, secret?: string): Promise<OpenedAddress>
}

interface SecretsDeps {
  store: Pick<AddressStore, 'replaceSecret'>
  seal: Seal
  opener: Pick<Opener, 'open'>
  wrap: Wrap
  bus: EventBus
  clock: Clock
  /** How long a retired key may still be needed to open a message, in milliseconds. */
  keepKeys: number
}

export function createSecrets({ store, seal, opener, wrap, bus, clock, keepKeys }: SecretsDeps): Secrets {
  function replacement({ address, keys, row }: OpenAddress, secret = newSecret()): Replacement {
    // The secret of the operator mailbox is derived from the service key.
    if (row.lifetime === 'operator') throw new MayflyError('unauthorized')
    const { subscriptionId } = row
    const now = clock()
    const needed = openRingIfIntact(opener, keys, row, row.sealedEarlierKeys).filter(
      ({ retiredAt }) => retiredAt + keepKeys > now,
    )
    if (needed.length >= EARLIER_KEYS_MAX) throw new MayflyError('too_many_requests')
    const ring = [{ privateKey: keys.privateKey, retiredAt: now }, ...needed]
    const derived = deriveKeys(secret)
    if (!derived) throw new MayflyError('invalid_request')
    const { id: secretId, publicKey } = derived
    const sealedEarlierKeys = sealRing(seal, publicKey, row, ring)
    const sealedName = seal(publicKey, addressPlace('name', row), Buffer.from(address))
    const changed = { secretId, publicKey, sealedName, sealedEarlierKeys }
    const earlier = [{ privateKey: keys.privateKey, publicKey: keys.publicKey }, ...(keys.earlier ?? [])]
    return {
      secret,
      open: { address, keys: { ...derived, id: row.id, earlier }, row: { ...row, ...changed } },
      change: {
        ...changed,
        id: row.id,
        previousSecretId: row.secretId,
        sealedSecret:
          subscriptionId === null
            ? null
            : wrap.wrap('address secret', secret, keptRow({ subscriptionId, addressId: row.id })),
      },
    }
  }

  return {
    replacement,

    async replace(open, secret) {
      const { change, ...opened } = replacement(open, secret)
      if (!(await store.replaceSecret(change, clock()))) throw new MayflyError('unauthorized')
      const { id, subscriptionId } = opened.open.row
      bus.publish(id)
      if (subscriptionId !== null) bus.publish(subscriptionId)
      return opened
    },
  }
}
