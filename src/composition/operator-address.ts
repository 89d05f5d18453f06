import { ConfigError } from '#config/load.ts'
import type { Config } from '#config/table.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { Clock } from '#core/time.ts'
import { mailboxAddress, recipientParts } from '#mail/email-address.ts'
import { nameKey } from '#mail/sealing/keys.ts'

/**
 * Returns the mailbox address of `MAYFLY_OPERATOR_EMAIL`. At a domain of the service it leads to the operator mailbox,
 * and nobody else can have it.
 */
export const operatorAddressOf = ({ operator: { email } }: Pick<Config, 'operator'>): string | undefined =>
  email === undefined ? undefined : mailboxAddress(email)

/**
 * Rejects with `ConfigError` if somebody has or recently had that address: the operator would get messages that were
 * sent to someone else.
 */
export async function requireOperatorAddress(
  config: Pick<Config, 'operator'>,
  { store, key, clock }: { store: { addresses: Pick<AddressStore, 'isHeld'> }; key: Uint8Array; clock: Clock },
): Promise<void> {
  const address = operatorAddressOf(config)
  if (address === undefined || !(await store.addresses.isHeld(nameKey(key, address), clock()))) return
  throw new ConfigError(
    `MAYFLY_OPERATOR_EMAIL is "${config.operator.email}", which is or was the address of a visitor; choose one that nobody has, such as postmaster@${recipientParts(address).domain}`,
  )
}
