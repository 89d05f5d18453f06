import type { Config } from '#config/table.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { Clock } from '#core/time.ts'
import { mailboxAddress, recipientParts } from '#mail/email-address.ts'
import { nameKey } from '#mail/sealing/keys.ts'

/**
 * Returns the mailbox address of `MAYFLY_OPERATOR_EMAIL`. At a domain of the service it leads to the operator mailbox,
 * and nobody else can have it any longer.
 */
export const operatorAddressOf = ({ operator: { email } }: Pick<Config, 'operator'>): string | undefined =>
  email === undefined ? undefined : mailboxAddress(email)

/** Returns a warning if somebody has or recently had that address: its mail is for someone else. */
export async function operatorAddressWarning(
  config: Pick<Config, 'operator'>,
  { store, key, clock }: { store: { addresses: Pick<AddressStore, 'isHeld'> }; key: Uint8Array; clock: Clock },
): Promise<string | undefined> {
  const address = operatorAddressOf(config)
  if (address === undefined || !(await store.addresses.isHeld(nameKey(key, address), clock()))) return undefined
  return `MAYFLY_OPERATOR_EMAIL is "${config.operator.email}", which is or was the address of a visitor, who gets its mail while it exists; choose one that nobody has, such as postmaster@${recipientParts(address).domain}, or delete it with mayfly addresses remove`
}
