import { keptRow } from '#core/account/kept-address.ts'
import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { SecretChange } from '#core/mailbox/secret-change.ts'
import type { Clock } from '#core/time.ts'
import { openRingIfIntact, sealRing } from '#mail/sealing/key-ring.ts'
import { deriveKeys, newSecret } from '#mail/sealing/keys.ts'
import type { Opener } from '#mail/sealing/open.ts'
import { addressPlace } from '#mail/sealing/place.ts'
import type { Seal } from '#mail/sealing/seal.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { OpenAddress, OpenedAddress } from './claims.ts'

/** How many earlier keys an address has at most: each one is tried on mail that none before it opens. */
export const EARLIER_KEYS_MAX = 20

/** An address under another secret, and what the store must do to make it true. */
export interface Replacement extends OpenedAddress {
  change: SecretChange
}

export interface Secrets {
  /**
   * A new secret for an address; nothing is stored yet. Mail that is there stays as it is: the earlier keys are sealed to the
   * new one. Throws `too_many_requests` where it was replaced too often to keep all of them, and `invalid_request` for what is
   * no secret.
   */
  replacement(open: OpenAddress, secret?: string): Replacement
  /**
   * Gives an address a new secret, at once: the old one opens nothing from then on, and streams that were opened with it end.
   * `secret`: one that the holder chose, who has it even if the answer is lost. Throws as `replacement`, and `unauthorized` where
   * it was replaced or ended meanwhile, where the new secret is one of another address, and for the operator's mailbox.
   */
  replace(open: OpenAddress, secret?: string): Promise<OpenedAddress>
}

export interface SecretsDeps {
  store: Pick<AddressStore, 'replaceSecret'>
  seal: Seal
  opener: Pick<Opener, 'open'>
  wrap: Wrap
  bus: EventBus
  clock: Clock
  /** For how long there may be mail that was sealed to a key after it was retired, in milliseconds. */
  keepKeys: number
}

export function createSecrets({ store, seal, opener, wrap, bus, clock, keepKeys }: SecretsDeps): Secrets {
  function replacement({ address, keys, row }: OpenAddress, secret = newSecret()): Replacement {
    // The secret of the operator's mailbox follows from the service's key.
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
