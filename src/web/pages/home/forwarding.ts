import type { HomeData } from '#contract/pages.ts'

/**
 * Returns the state of the forwarding of the current address. If it was created on the page, the state in the payload is that
 * of another address, and the new one forwards nothing.
 */
export const forwardingOf = (
  { address, forwarding }: Pick<HomeData, 'address' | 'forwarding'>,
  current: string | null,
): HomeData['forwarding'] => (forwarding === 'none' || address?.address === current ? forwarding : 'off')
