import type { MessageSummaryJson } from '#contract/messages.ts'

type Sender = MessageSummaryJson['from']

/** A text that readers take for an email address. The lookbehind keeps the search linear. */
const ADDRESS = /(?<![^\s@<>"'(),;:])[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[^\s@<>"'(),;:]+/g

/** Returns the name of a sender, or the address if there is no name or if the name looks like another address. */
export function senderName({ name, address }: Sender): string {
  const claimed = name.normalize('NFKC').match(ADDRESS) ?? []
  const isOther = claimed.some((each) => each.toLowerCase() !== address.toLowerCase())
  return name === '' || (isOther && address !== '') ? address : name
}
