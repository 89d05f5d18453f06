import { MayflyError } from '#core/errors.ts'
import { SECRET_BYTES } from '#core/ids.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { Clock } from '#core/time.ts'
import type { Addresses, Claims, OpenedAddress } from '#features/mailbox/index.ts'
import { derive, deriveKeys, nameKey } from '#mail/sealing/keys.ts'

/**
 * The mailbox that gets the messages to all logins without an address, as a local mail catcher does. Its secret is
 * derived from the service key, so this process can open it. Only a service that no other machine can reach has one.
 */
export interface CatchAll {
  /** Opens the mailbox, and creates it if it does not exist or has expired. Counts as a visit. */
  open(): Promise<OpenedAddress>
}

/** No sender can use this name as a recipient. */
const NAME = 'catch-all'

interface CatchAllDeps {
  store: Pick<AddressStore, 'remove'>
  addresses: Pick<Addresses, 'open'>
  claims: Pick<Claims, 'claim'>
  serviceKey: Uint8Array
  clock: Clock
}

export function createCatchAll({ store, addresses, claims, serviceKey, clock }: CatchAllDeps): CatchAll {
  const secret = derive(serviceKey, 'catch-all mailbox', SECRET_BYTES).toString('base64url')
  const id = deriveKeys(secret)?.id ?? ''
  const name = { address: NAME, nameKey: nameKey(serviceKey, NAME) }
  /** Shared by concurrent calls. Otherwise one could remove the mailbox that another has just created. */
  let creating: Promise<OpenedAddress> | undefined

  async function create(): Promise<OpenedAddress> {
    const claim = () => claims.claim(name, secret, { lifetime: 'day', previousSecret: secret })
    let open = (await addresses.open(secret)) ?? (await claim())
    if (!open) {
      // It has expired, but was not removed yet.
      await store.remove(id, clock())
      open = await claim()
    }
    if (!open) throw new MayflyError('store_unavailable')
    return { secret, open }
  }

  return {
    async open() {
      const open = await addresses.open(secret)
      if (open) return { secret, open }
      creating ??= create().finally(() => (creating = undefined))
      return creating
    },
  }
}
