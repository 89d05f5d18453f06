import type { NewMessage } from '#core/mailbox/message-store.ts'

/** Returns the value of the column `share`: the share, and after a space the network that sent the message, if known. */
export const shareValue = ({ share, network }: Pick<NewMessage, 'share' | 'network'>): string | null => {
  if (share === undefined) return null
  return network === undefined ? share : `${share} ${network}`
}
