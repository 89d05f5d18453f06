import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { Store } from '#core/store.ts'
import { type AccountFixture, openAccountFixture } from '#test/support/fixtures/account.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

/** How many more writes succeed before one fails. */
let successes = Infinity

function failing<Part extends object>(part: Part): Part {
  const isRead = (name: string) => /^(?:find|list|ofKeys|open)/.test(name)
  const wrapped = Object.entries(part).map(([name, method]: [string, (...args: unknown[]) => Promise<unknown>]) => [
    name,
    async (...args: unknown[]) => {
      if (!isRead(name) && successes-- === 0) throw new MayflyError('store_unavailable')
      return method(...args)
    },
  ])
  return Object.fromEntries(wrapped) as Part
}
const wrap = (store: Store): Store => ({
  ...store,
  accounts: failing(store.accounts),
  addresses: failing(store.addresses),
})

let count = 0

describe.each(ENGINES)('signing in while the store fails, on %s', (engine) => {
  let cases: AccountFixture
  beforeAll(async () => {
    cases = await openAccountFixture({ engine, wrap })
  })
  afterEach(() => {
    successes = Infinity
  })
  afterAll(() => cases.close())

  /** Creates a subscription with a kept address, and requests a link and its code. */
  async function requested(confirmed: boolean) {
    const email = `ann${++count}@example.com`
    const subscription = await cases.subscribe(email, { confirmed })
    const kept = await cases.keep(subscription, `ann${count}`)
    const browser = `browser ${count}`
    cases.signIn.ask({ email, language: 'en', browser })
    await cases.signIn.settled()
    await cases.sendEmails()
    const token = (await cases.outbox.next(email, 'sign-in')).link.searchParams.get('link')!
    const shown = await cases.signIn.view(token, 'another')
    const code = shown.state === 'elsewhere' ? shown.code : ''
    const open = (kind: 'link' | 'code', { signIn }: Pick<AccountFixture, 'signIn'> = cases) =>
      signIn.open({ ...(kind === 'link' ? { token } : { code }), browser, userAgent: '' })
    return { subscription, kept, open, view: () => cases.signIn.view(token, browser) }
  }
  const sessionsOf = async (session: string) => (await cases.account.view((await cases.signIn.find(session))!)).sessions

  test.each([
    ['link', true],
    ['link', false],
    ['code', true],
    ['code', false],
  ] as const)('the %s works again, wherever that happens; confirmed: %s', async (kind, confirmed) => {
    for (let at = 0; ; at++) {
      const { subscription, kept, open, view } = await requested(confirmed)
      successes = at
      const first = await open(kind).catch((error: MayflyError) => error.code)
      const isComplete = successes >= 0
      successes = Infinity
      if (first === 'store_unavailable') expect(await view()).toMatchObject({ state: 'here' })
      const session = await open(kind)
      expect(await sessionsOf(session)).toHaveLength(1)
      // The address is kept, under another secret if the payer knew it.
      expect(await cases.keptAddresses.list(subscription)).toMatchObject([{ alive: true }])
      expect((await cases.addresses.open(kept.secret)) !== undefined).toBe(confirmed)
      if (isComplete) break
      expect(first).toBe('store_unavailable')
    }
  })

  test('an address is kept if its link is opened many times at once, also by the first email', async () => {
    const { subscription, kept, open } = await requested(false)
    const node = await cases.newNode()
    const nodes = [cases, cases, node, cases, node]
    const sessions = await Promise.all(nodes.map((each) => open('link', each)))
    expect(new Set(sessions).size).toBe(1)
    expect(await sessionsOf(sessions[0]!)).toHaveLength(1)
    expect(await cases.keptAddresses.list(subscription)).toMatchObject([{ id: kept.id, alive: true }])
    expect(await cases.addresses.open(kept.secret)).toBeUndefined()
  })
})
