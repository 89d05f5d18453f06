import { checkNames, createInbox, type CreateOptions, type Inbox } from '@mayfly/client'
import { test as playwrightTest } from '@playwright/test'
import { attachMessages } from './attach.ts'
import { DEFAULT_TIMEOUT, setTimeoutOf } from './timeout.ts'

/** The options of all inboxes of a project, in `use: { mayfly: { … } }`. */
export interface MayflyOptions extends Omit<CreateOptions, 'login'> {
  /** How long waits take at most, in milliseconds. Default: 15,000, so that they end before the test does. */
  timeout?: number
  /** When the messages are attached to the report. Default: `on-failure`. */
  attach?: 'on-failure' | 'always' | 'never'
}

/** Milliseconds. A service that hangs must not fail a test that passed. */
const DELETE_TIMEOUT = 5000

const NAMES: Record<keyof MayflyOptions, true> = {
  url: true,
  apiKey: true,
  fetch: true,
  domain: true,
  lifetime: true,
  previousSecret: true,
  timeout: true,
  attach: true,
}

/** For `defineConfig<MayflyTestOptions>(…)`. */
export interface MayflyTestOptions {
  mayfly: MayflyOptions
}

export interface MayflyFixtures {
  /** The inbox of this test, which is deleted after it. */
  inbox: Inbox
  /** Creates another inbox, which is deleted after the test too. */
  createInbox(options?: CreateOptions): Promise<Inbox>
}

/** The `test` of Playwright with the fixtures `inbox` and `createInbox`. */
export const test = playwrightTest.extend<MayflyFixtures & MayflyTestOptions>({
  mayfly: [{}, { option: true }],

  async createInbox({ mayfly }, use, testInfo) {
    checkNames('mayfly', mayfly, Object.keys(NAMES))
    const { timeout = DEFAULT_TIMEOUT, attach = 'on-failure', ...defaults } = mayfly
    const inboxes: Inbox[] = []
    await use(async (options = {}) => {
      // An option that is undefined does not replace a default.
      const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
      const inbox = await createInbox({ ...defaults, ...given })
      setTimeoutOf(inbox, timeout)
      inboxes.push(inbox)
      testInfo.annotations.push({ type: 'inbox', description: inbox.address })
      return inbox
    })
    const isFailed = testInfo.status !== testInfo.expectedStatus
    for (const inbox of inboxes) {
      try {
        if (attach === 'always' || (attach === 'on-failure' && isFailed)) await attachMessages(inbox, testInfo)
      } finally {
        // A test may have deleted it. Otherwise it expires.
        await inbox.delete({ signal: AbortSignal.timeout(DELETE_TIMEOUT) }).catch(() => {})
      }
    }
  },

  async inbox({ createInbox: create }, use) {
    await use(await create())
  },
})
