import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { Store } from '#core/ports.ts'
import { type AccountCases, LINK_MINUTES, openAccountCases, SESSION, SITE } from '#test/account-cases.ts'
import { DAY, ENGINES, MINUTE } from '#test/use-cases.ts'

const EMAIL = 'ann@example.com'
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const BROWSER = 'cookie of a browser'

describe.each(ENGINES)('on %s', (engine) => {
  let cases: AccountCases
  beforeEach(async () => {
    cases = await openAccountCases({ engine })
  })
  afterEach(() => cases.close())

  async function ask(email = EMAIL, language = 'en'): Promise<void> {
    cases.signIn.ask(email, language, BROWSER)
    await cases.signIn.settled()
    await cases.post()
  }
  async function link(to = EMAIL): Promise<string> {
    return (await cases.outbox.next(to, 'sign-in')).link.searchParams.get('link')!
  }
  const open = (token: string, given: Partial<Parameters<AccountCases['signIn']['open']>[0]> = {}) =>
    cases.signIn.open({ token, browser: BROWSER, confirmed: false, userAgent: AGENT, ...given })
  const invalid = new MayflyError('sign_in_link_invalid')

  test('a link comes by mail, in the language of the page, and signs in once', async () => {
    const subscription = await cases.subscribe(EMAIL)
    await ask(EMAIL, 'de')
    const mail = await cases.outbox.next(EMAIL, 'sign-in')
    expect(mail.link.href).toMatch(new RegExp(`^${SITE}/de/account\\?link=[\\w-]{43}$`))
    const token = mail.link.searchParams.get('link')!
    const session = await open(token)
    expect(await cases.signIn.find(session)).toMatchObject({ subscription: { id: subscription.id }, active: true })
    await expect(open(token)).rejects.toThrow(invalid)
    await expect(open(token, { confirmed: true })).rejects.toThrow(invalid)
  })

  test('an email is one however it is written; the mail goes to the one of the subscription', async () => {
    await cases.subscribe('Ann@bücher.example')
    await ask(' ANN@xn--BCHER-kva.example ')
    expect((await cases.outbox.all()).map(({ to }) => to?.[0]?.address)).toEqual(['Ann@xn--bcher-kva.example'])
  })

  test('who has no subscription is told the same, and gets nothing', async () => {
    await cases.subscribe(EMAIL)
    expect(cases.signIn.ask('nobody@example.com', 'en', BROWSER)).toBe(cases.signIn.ask(EMAIL, 'en', BROWSER))
    await cases.signIn.settled()
    await cases.post()
    expect((await cases.outbox.all()).map(({ to }) => to?.[0]?.address)).toEqual([EMAIL])
    expect(() => cases.signIn.ask('no email', 'en', BROWSER)).toThrow(new MayflyError('email_invalid'))
  })

  test('another browser has to confirm, and the link waits for that', async () => {
    await cases.subscribe(EMAIL)
    await ask()
    const token = await link()
    for (const browser of ['another', '', undefined])
      await expect(open(token, { browser })).rejects.toThrow(new MayflyError('sign_in_unconfirmed'))
    expect(await cases.signIn.find(await open(token, { browser: undefined, confirmed: true }))).toBeDefined()
  })

  test('says whose account it opens, masked, as long as it works', async () => {
    await cases.subscribe(EMAIL)
    await ask()
    const token = await link()
    expect(await cases.signIn.whose(token)).toBe('a…@example.com')
    await open(token)
    await ask()
    const old = await link()
    cases.time.now += LINK_MINUTES * MINUTE
    for (const none of [token, old, '', 'x'.repeat(43)]) expect(await cases.signIn.whose(none)).toBeUndefined()
  })

  test('of many who open one link at once, one is signed in', async () => {
    await cases.subscribe(EMAIL)
    await ask()
    const token = await link()
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => open(token)))
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test(`a link works for ${LINK_MINUTES} minutes`, async () => {
    await cases.subscribe(EMAIL)
    await ask()
    await ask()
    const [first, second] = [await link(), await link()]
    cases.time.now += LINK_MINUTES * MINUTE - 1
    await open(first)
    cases.time.now += 1
    await expect(open(second)).rejects.toThrow(invalid)
  })

  test('three links in that time, then more when the first is as old', async () => {
    await cases.subscribe(EMAIL)
    for (let i = 0; i < 4; i++) {
      await ask()
      cases.time.now += MINUTE
    }
    expect(await cases.outbox.all()).toHaveLength(3)
    cases.time.now += (LINK_MINUTES - 4) * MINUTE - 1
    await ask()
    expect(await cases.outbox.all()).toHaveLength(3)
    cases.time.now += 1
    await ask()
    expect(await cases.outbox.all()).toHaveLength(4)
  })

  test('a session lasts as long as its browser comes again in time, and is over at once where it is ended', async () => {
    await cases.subscribe(EMAIL)
    await ask()
    const session = await open(await link())
    for (let i = 0; i < 3; i++) {
      cases.time.now += SESSION - 1
      expect(await cases.signIn.find(session)).toBeDefined()
    }
    cases.time.now += SESSION
    expect(await cases.signIn.find(session)).toBeUndefined()

    await ask()
    const other = await open(await link())
    await cases.signIn.end((await cases.signIn.find(other))!)
    expect(await cases.signIn.find(other)).toBeUndefined()
  })

  test('what is no token is nobody', async () => {
    for (const token of ['', 'x', '\0', 'A'.repeat(43), 'ü'.repeat(1000)]) {
      expect(await cases.signIn.find(token)).toBeUndefined()
      await expect(open(token)).rejects.toThrow(invalid)
    }
  })

  test('who is signed in may have no benefits any more', async () => {
    await cases.subscribe(EMAIL, { paidUntil: cases.time.now + DAY })
    await ask()
    const session = await open(await link())
    cases.time.now += DAY - 1
    expect((await cases.signIn.find(session))?.active).toBe(true)
    cases.time.now += 1
    expect((await cases.signIn.find(session))?.active).toBe(false)
  })

  test.each([
    ['Firefox', AGENT, 'Firefox, Linux'],
    ['who says nothing', '', ''],
    ['who says nothing known', '?', ''],
    ['who says very much', `${'x'.repeat(100_000)} Chrome/1 ${'('.repeat(100_000)}`, ''],
  ])('a session has a name: of %s', async (_who, userAgent, label) => {
    await cases.subscribe(EMAIL)
    await ask()
    const signedIn = (await cases.signIn.find(await open(await link(), { userAgent })))!
    expect((await cases.account.view(signedIn)).sessions.map((each) => each.label)).toEqual([label])
  })
})

test('a visit is written down once a minute, and a full disk signs nobody out', async () => {
  const touch = vi.fn<Store['accounts']['touchSession']>(() => Promise.reject(new MayflyError('disk_full')))
  const cases = await openAccountCases({
    wrap: (store) => ({ ...store, accounts: { ...store.accounts, touchSession: touch } }),
  })
  await cases.subscribe(EMAIL)
  cases.signIn.ask(EMAIL, 'en', BROWSER)
  await cases.signIn.settled()
  await cases.post()
  const token = (await cases.outbox.next(EMAIL)).link.searchParams.get('link')!
  const session = await cases.signIn.open({ token, browser: BROWSER, confirmed: false, userAgent: '' })
  cases.time.now += MINUTE - 1
  await cases.signIn.find(session)
  expect(touch).not.toHaveBeenCalled()
  cases.time.now += 1
  expect(await cases.signIn.find(session)).toBeDefined()
  expect(touch).toHaveBeenCalledOnce()
  touch.mockRejectedValue(new Error('a fault of ours'))
  await expect(cases.signIn.find(session)).rejects.toThrow('a fault of ours')
  await cases.close()
})
