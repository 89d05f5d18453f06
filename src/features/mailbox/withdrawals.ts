import { MayflyError } from '#core/errors.ts'
import type { SubscriptionId } from '#core/ids.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { Domain } from '#core/mailbox/domain.ts'
import { recipientLogin } from '#core/mailbox/login.ts'
import { OPERATOR_LOGINS } from '#core/mailbox/reserved.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, DAY } from '#core/time.ts'
import { randomId } from '#lib/token.ts'
import { recipientParts } from '#mail/email-address.ts'
import { nameKey } from '#mail/sealing/keys.ts'
import { type AddressName, ownNameKey } from './address-names.ts'
import type { Addresses } from './addresses.ts'

/** What the operator does about addresses that are misused. */
export interface Withdrawals {
  /**
   * Deletes the address that receives what is sent to `recipient`, with its messages, as its owner would. Reserves the name
   * for `time` milliseconds, at least for the quarantine, whether it was in use or not, and for nobody: not even the secret
   * of the address gives it back. The operator's own address needs no more than the quarantine. Throws `domain_unknown`,
   * `login_invalid`, and `login_reserved` for the operator mailbox and the sender of our emails.
   */
  withdraw(recipient: string, time: number): Promise<{ wasThere: boolean; heldUntil: number }>
}

interface WithdrawalsDeps {
  store: Pick<AddressStore, 'findRecipients' | 'reserve'>
  addresses: Pick<Addresses, 'removeRow'>
  serviceKey: Uint8Array
  domains: readonly Domain[]
  /** The sender of our own emails, and the operator's own address. Nobody may have them, but somebody had before. */
  ownSender: string
  operatorAddress: string | undefined
  /** How long the name of an address stays reserved, in milliseconds. */
  quarantine: number
  /** Returns the subscription that owns a domain. */
  ownerOf(domain: string): Promise<SubscriptionId | undefined>
  clock: Clock
  logger: Pick<Logger, 'info'>
}

export function createWithdrawals({ store, addresses, serviceKey, clock, ...deps }: WithdrawalsDeps): Withdrawals {
  async function nameOf(recipient: string): Promise<AddressName> {
    const { localPart, domain } = recipientParts(recipient.trim())
    const login = recipientLogin(localPart)
    if (login === undefined) throw new MayflyError('login_invalid')
    const address = `${login}@${domain}`
    if (OPERATOR_LOGINS.has(login) || (address === deps.ownSender && address !== deps.operatorAddress))
      throw new MayflyError('login_reserved')
    if (deps.domains.some(({ name }) => name === domain)) return { address, nameKey: nameKey(serviceKey, address) }
    const owner = domain === '' ? undefined : await deps.ownerOf(domain)
    if (owner === undefined) throw new MayflyError('domain_unknown')
    return { address, nameKey: ownNameKey(serviceKey, address, owner) }
  }

  return {
    async withdraw(recipient, time) {
      const { address, nameKey: key } = await nameOf(recipient)
      const held = address === deps.operatorAddress ? deps.quarantine : Math.max(time, deps.quarantine)
      const heldUntil = clock() + held
      // No secret has this look-up hash.
      const nobody = randomId()
      let wasThere = false
      for (;;) {
        await store.reserve(key, heldUntil, nobody)
        const [row] = await store.findRecipients([key], clock())
        if (!row) break
        // Its removal also ends what its owner changes at this moment, and moves the end of the reservation.
        await addresses.removeRow(row, false)
        wasThere = true
      }
      deps.logger.info({ wasThere, days: held / DAY }, 'the operator withdrew an address')
      return { wasThere, heldUntil }
    },
  }
}
