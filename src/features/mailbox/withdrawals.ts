import { randomBytes } from 'node:crypto'
import { MayflyError } from '#core/errors.ts'
import { ID_BYTES, type NameKey, type SubscriptionId } from '#core/ids.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { Domain } from '#core/mailbox/domain.ts'
import { recipientLogin } from '#core/mailbox/login.ts'
import { OPERATOR_LOGINS } from '#core/mailbox/reserved.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, DAY } from '#core/time.ts'
import { recipientParts } from '#mail/email-address.ts'
import { nameKey } from '#mail/sealing/keys.ts'
import { ownNameKey } from './address-names.ts'
import type { Addresses } from './addresses.ts'

/** What the operator does about addresses that are misused. */
export interface Withdrawals {
  /**
   * Deletes the address that receives what is sent to `recipient`, with its messages, as its owner would. Reserves the name
   * for `time` milliseconds, whether it was in use or not, and for nobody: not even the secret of the address gives it
   * back. Throws `domain_unknown`, `login_invalid`, and `login_reserved` for the operator mailbox and reserved addresses.
   */
  withdraw(recipient: string, time: number): Promise<{ wasThere: boolean; heldUntil: number }>
}

interface WithdrawalsDeps {
  store: Pick<AddressStore, 'findRecipients' | 'reserve'>
  addresses: Pick<Addresses, 'removeRow'>
  serviceKey: Uint8Array
  domains: readonly Domain[]
  /** Addresses that nobody may have. A reservation would look as if somebody had had one. */
  reserved: readonly (string | undefined)[]
  /** Returns the subscription that owns a domain. */
  ownerOf(domain: string): Promise<SubscriptionId | undefined>
  clock: Clock
  logger: Pick<Logger, 'info'>
}

export function createWithdrawals({ store, addresses, serviceKey, clock, ...deps }: WithdrawalsDeps): Withdrawals {
  async function nameKeyOf(recipient: string): Promise<NameKey> {
    const { localPart, domain } = recipientParts(recipient.trim())
    const login = recipientLogin(localPart)
    if (login === undefined) throw new MayflyError('login_invalid')
    const address = `${login}@${domain}`
    if (OPERATOR_LOGINS.has(login) || deps.reserved.includes(address)) throw new MayflyError('login_reserved')
    if (deps.domains.some(({ name }) => name === domain)) return nameKey(serviceKey, address)
    const owner = domain === '' ? undefined : await deps.ownerOf(domain)
    if (owner === undefined) throw new MayflyError('domain_unknown')
    return ownNameKey(serviceKey, address, owner)
  }

  return {
    async withdraw(recipient, time) {
      const key = await nameKeyOf(recipient)
      const heldUntil = clock() + time
      // No secret has this look-up hash.
      const nobody = randomBytes(ID_BYTES).toString('base64url')
      let wasThere = false
      for (;;) {
        await store.reserve(key, heldUntil, nobody)
        const [row] = await store.findRecipients([key], clock())
        if (!row) break
        // Its removal also ends what its owner changes at this moment, and moves the end of the reservation.
        await addresses.removeRow(row, false)
        wasThere = true
      }
      deps.logger.info({ wasThere, days: time / DAY }, 'the operator withdrew an address')
      return { wasThere, heldUntil }
    },
  }
}
