import type { KeptAddress } from '#core/kept-address.ts'

/** What is wrapped of a kept address opens for this address of this subscription alone. */
export const keptRow = ({ subscriptionId, addressId }: Pick<KeptAddress, 'subscriptionId' | 'addressId'>): string =>
  `${subscriptionId} ${addressId}`
