/** A temporary email inbox for each Playwright test. */
import type { Inbox } from '@mayfly/client'
import { expect as playwrightExpect } from '@playwright/test'
import { type ExpectedMessage, toReceive } from './to-receive.ts'

export { type Inbox, MayflyError, type Message, WaitTimeoutError } from '@mayfly/client'
export { type MayflyFixtures, type MayflyOptions, type MayflyTestOptions, test } from './fixtures.ts'
export type { ExpectedMessage } from './to-receive.ts'

/** The `expect` of Playwright with the matcher `toReceive` for inboxes. */
export const expect = playwrightExpect.extend({
  /**
   * Waits until the inbox has a matching message, which may have arrived before. With `.not`, waits for the whole
   * `timeout` in milliseconds and passes if there is none.
   */
  toReceive(inbox: Inbox, expected?: ExpectedMessage, options?: { timeout?: number }) {
    return toReceive(this, inbox, expected, options)
  },
})
