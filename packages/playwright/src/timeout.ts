import type { Inbox, WaitOptions } from '@mayfly/client'

/** Milliseconds. Half of a test's default timeout: a test that is stopped could not explain what it waited for. */
export const DEFAULT_TIMEOUT = 15_000

const timeouts = new WeakMap<Inbox, number>()

/** The longest time that `toReceive` waits for a message of this inbox, in milliseconds. */
export const timeoutOf = (inbox: Inbox): number => timeouts.get(inbox) ?? DEFAULT_TIMEOUT

/** Sets the default timeout of all waits of an inbox. */
export function setTimeoutOf(inbox: Inbox, timeout: number): void {
  timeouts.set(inbox, timeout)
  const { waitForMessage, waitForMessages, waitForCode, waitForLink } = inbox
  const limited = (options: WaitOptions = {}): WaitOptions => ({ ...options, timeout: options.timeout ?? timeout })
  inbox.waitForMessage = (options) => waitForMessage.call(inbox, limited(options))
  inbox.waitForMessages = (options) => waitForMessages.call(inbox, limited(options))
  inbox.waitForCode = (options) => waitForCode.call(inbox, limited(options))
  inbox.waitForLink = (options) => waitForLink.call(inbox, limited(options))
}
