import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { Store } from '#core/store.ts'
import { MINUTE, DAY } from '#core/time.ts'
import { type AccountFixture, LINK_MINUTES, openAccountFixture, SESSION, SITE } from '#test/support/fixtures/account.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

const EMAIL = 'ann@example.com'
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const BROWSER = 'cookie of a browser'

describe.each(ENGINES)('on %s', (engine) => {
  let cases: AccountFixture
  beforeEach(async () => {
    cases = await openAccountFixture({ engine })
  })
  afterEach(() => cases.close())

  async function requestLink(email = EMAIL, language = 'en'): Promise<void> {
    cases.signIn.ask({ email, language, browser: BROWSER })
    await cases.signIn.settled()
    await cases.sendEmails()
  }
  async function link(to = EMAIL): Promise<string> {
    return (await cases.outbox.next(to, 'sign-in')).link.searchParams.get('link')!
  }
  /** The code in the next email, as it is written there. */
  async function code(to = EMAIL): Promise<string> {
    return /\u2066(\d{3} \d{3} \d{3})\u2069/.exec((await cases.outbox.next(to, 'sign-in')).text ?? '')![0]
  }
  const enter = (input: string, browser: string | undefined = BROWSER) =>
    cases.signIn.open({ code: input, browser, userAgent: AGENT })
  const isSignedIn = async (session: string) => (await cases.signIn.find(session)) !== undefined
  const open = (token: string, given: { browser?: string | undefined; userAgent?: string } = {}) =>
    cases.signIn.open({ token, browser: BROWSER, userAgent: AGENT, ...given })
  const invalid = new MayflyError('sign_in_link_invalid')
  const wrong = new MayflyError('sign_in_code_invalid')

  test('sends a link in the language of the page, which signs in', async () => {
    const subscription = await cases.subscribe(EMAIL)
    await requestLink(EMAIL, 'de')
    const mail = await cases.outbox.next(EMAIL, 'sign-in')
    expect(mail.link.href).toMatch(new RegExp(`^${SITE}/de/account\\?link=[\\w-]{43}$`))
    const token = mail.link.searchParams.get('link')!
    const session = await open(token)
    expect(await cases.signIn.find(session)).toMatchObject({ subscription: { id: subscription.id }, active: true })
  })

  test('finds the subscription in every spelling of the email address, and sends to the stored one', async () => {
    await cases.subscribe('Ann@bücher.example')
    await requestLink(' ANN@xn--BCHER-kva.example ')
    expect((await cases.outbox.all()).map(({ to }) => to?.[0]?.address)).toEqual(['Ann@xn--bcher-kva.example'])
  })

  test('returns the same without a subscription, and sends nothing', async () => {
    await cases.subscribe(EMAIL)
    expect(cases.signIn.ask({ email: 'nobody@example.com', language: 'en', browser: BROWSER })).toBe(
      cases.signIn.ask({ email: EMAIL, language: 'en', browser: BROWSER }),
    )
    await cases.signIn.settled()
    await cases.sendEmails()
    expect((await cases.outbox.all()).map(({ to }) => to?.[0]?.address)).toEqual([EMAIL])
    expect(() => cases.signIn.ask({ email: 'no email', language: 'en', browser: BROWSER })).toThrow(
      new MayflyError('email_invalid'),
    )
  })

  test('does not look up the subscription before the response', async () => {
    await cases.subscribe(EMAIL)
    const { findByEmail } = cases.store.subscriptions
    const lookedUp: string[] = []
    cases.store.subscriptions.findByEmail = async (emailKey) => {
      lookedUp.push(emailKey)
      return findByEmail(emailKey)
    }
    for (const email of [EMAIL, 'nobody@example.com']) {
      cases.signIn.ask({ email, language: 'en', browser: BROWSER })
      // A response that is ready now is sent before anything else runs.
      await Promise.resolve()
    }
    expect(lookedUp).toEqual([])
    await cases.signIn.settled()
    expect(lookedUp).toHaveLength(2)
  })

  test('signs in only the browser that requested the link', async () => {
    await cases.subscribe(EMAIL)
    await requestLink()
    const token = await link()
    for (const browser of ['another', '', undefined])
      for (let i = 0; i < 10; i++)
        await expect(open(token, { browser })).rejects.toThrow(new MayflyError('sign_in_unconfirmed'))
    expect(await isSignedIn(await open(token))).toBe(true)
  })

  test('shows the masked email address to its own browser, and only the code to another one', async () => {
    await cases.subscribe(EMAIL)
    await requestLink()
    const token = await link()
    expect(await cases.signIn.view(token, BROWSER)).toEqual({ state: 'here', token, of: 'a…@example.com' })
    for (const browser of ['another', undefined])
      expect(await cases.signIn.view(token, browser)).toEqual({
        state: 'elsewhere',
        code: expect.stringMatching(/^\d{9}$/) as string,
      })
    await requestLink()
    const old = await link()
    cases.time.now += LINK_MINUTES * MINUTE
    for (const none of [token, old, '', 'x'.repeat(43)])
      expect(await cases.signIn.view(none, BROWSER)).toEqual({ state: 'over' })
  })

  test('accepts the code in the browser that requested it, in every spelling', async () => {
    await cases.subscribe(EMAIL)
    await requestLink()
    const mail = await cases.outbox.next(EMAIL, 'sign-in')
    const token = mail.link.searchParams.get('link')!
    const shown = await cases.signIn.view(token, 'another')
    const digits = shown.state === 'elsewhere' ? shown.code : ''
    const grouped = digits.replaceAll(/\d{3}(?=\d)/g, '$& ')
    expect(mail.text).toContain(`\u2066${grouped}\u2069`)
    expect(mail.html).toContain(`\u2066${grouped}\u2069`)
    const persian = [...grouped].map((each) => '۰۱۲۳۴۵۶۷۸۹'[Number.parseInt(each, 10)] ?? '-').join('')
    expect(await isSignedIn(await enter(` \u2066${persian}\u2069 `))).toBe(true)
  })

  test('rejects a code in another browser without counting a try', async () => {
    await cases.subscribe(EMAIL)
    await requestLink()
    const input = await code()
    for (let i = 0; i < 10; i++) await expect(enter(input, 'another')).rejects.toThrow(wrong)
    await expect(enter(input, '')).rejects.toThrow(wrong)
    expect(await isSignedIn(await enter(input))).toBe(true)
  })

  test('invalidates code and link after five wrong tries, also at once, and not after four', async () => {
    await cases.subscribe(EMAIL)
    await requestLink()
    const [token, input] = await cases.outbox
      .next(EMAIL, 'sign-in')
      .then((mail) => [mail.link.searchParams.get('link')!, /\d{3} \d{3} \d{3}/.exec(mail.text ?? '')![0]] as const)
    const guesses = Array.from({ length: 4 }, (_, i) => String(i).repeat(9)).filter((each) => each !== input)
    await Promise.all(guesses.map((each) => expect(enter(each)).rejects.toThrow(wrong)))
    expect(await cases.signIn.view(token, BROWSER)).toMatchObject({ state: 'here' })
    await Promise.all(Array.from({ length: 20 }, () => expect(enter('123')).rejects.toThrow(wrong)))
    await expect(enter(input)).rejects.toThrow(wrong)
    await expect(open(token)).rejects.toThrow(invalid)
    expect(await cases.signIn.view(token, BROWSER)).toEqual({ state: 'over' })
    // A new link has new tries.
    await requestLink()
    expect(await isSignedIn(await enter(await code()))).toBe(true)
  })

  test('accepts the code of each of several links of a browser', async () => {
    for (const each of [EMAIL, 'bob@example.com']) {
      await cases.subscribe(each)
      await requestLink(each)
    }
    await requestLink()
    const codes = [await code(), await code('bob@example.com'), await code()]
    for (const each of codes) expect(await isSignedIn(await enter(each))).toBe(true)
  })

  test('returns the same errors for wrong codes with and without a subscription', async () => {
    await cases.subscribe(EMAIL)
    await requestLink('nobody@example.com')
    cases.signIn.ask({ email: EMAIL, language: 'en', browser: 'browser of a subscriber' })
    await cases.signIn.settled()
    const answers = async (browser: string) =>
      Promise.all(Array.from({ length: 7 }, () => enter('000 000 000', browser).catch((error: Error) => error.message)))
    expect(await answers('browser of a subscriber')).toEqual(await answers(BROWSER))
  })

  test(`accepts a link for ${LINK_MINUTES} minutes`, async () => {
    await cases.subscribe(EMAIL)
    await requestLink()
    await requestLink()
    const [first, second] = [await link(), await link()]
    cases.time.now += LINK_MINUTES * MINUTE - 1
    await open(first)
    cases.time.now += 1
    await expect(open(second)).rejects.toThrow(invalid)
  })

  test('sends three links in that time, and another one when the first has expired', async () => {
    await cases.subscribe(EMAIL)
    for (let i = 0; i < 4; i++) {
      await requestLink()
      cases.time.now += MINUTE
    }
    expect(await cases.outbox.all()).toHaveLength(3)
    cases.time.now += (LINK_MINUTES - 4) * MINUTE - 1
    await requestLink()
    expect(await cases.outbox.all()).toHaveLength(3)
    cases.time.now += 1
    await requestLink()
    expect(await cases.outbox.all()).toHaveLength(4)
  })

  test('extends a session with each visit, and ends it at once on request', async () => {
    await cases.subscribe(EMAIL)
    await requestLink()
    const session = await open(await link())
    for (let i = 0; i < 3; i++) {
      cases.time.now += SESSION - 1
      expect(await cases.signIn.find(session)).toBeDefined()
    }
    cases.time.now += SESSION
    expect(await cases.signIn.find(session)).toBeUndefined()

    await requestLink()
    const other = await open(await link())
    await cases.signIn.end((await cases.signIn.find(other))!)
    expect(await cases.signIn.find(other)).toBeUndefined()
  })

  test('finds no session for a malformed token', async () => {
    for (const token of ['', 'x', '\0', 'A'.repeat(43), 'ü'.repeat(1000)]) {
      expect(await cases.signIn.find(token)).toBeUndefined()
      await expect(open(token)).rejects.toThrow(invalid)
    }
  })

  test('reports whether a signed-in subscriber still has the benefits', async () => {
    await cases.subscribe(EMAIL, { paidUntil: cases.time.now + DAY })
    await requestLink()
    const session = await open(await link())
    cases.time.now += DAY - 1
    expect((await cases.signIn.find(session))?.active).toBe(true)
    cases.time.now += 1
    expect((await cases.signIn.find(session))?.active).toBe(false)
  })

  test.each([
    ['Firefox', AGENT, 'Firefox, Linux'],
    ['an empty value', '', ''],
    ['an unknown browser', '?', ''],
    ['a very long value', `${'x'.repeat(100_000)} Chrome/1 ${'('.repeat(100_000)}`, ''],
  ])('labels a session by its User-Agent: %s', async (_who, userAgent, label) => {
    await cases.subscribe(EMAIL)
    await requestLink()
    const signedIn = (await cases.signIn.find(await open(await link(), { userAgent })))!
    expect((await cases.account.view(signedIn)).sessions.map((each) => each.label)).toEqual([label])
  })
})

test('records a visit once a minute, and keeps the session if the disk is full', async () => {
  const touch = vi.fn<Store['accounts']['touchSession']>(() => Promise.reject(new MayflyError('disk_full')))
  const cases = await openAccountFixture({
    wrap: (store) => ({ ...store, accounts: { ...store.accounts, touchSession: touch } }),
  })
  await cases.subscribe(EMAIL)
  cases.signIn.ask({ email: EMAIL, language: 'en', browser: BROWSER })
  await cases.signIn.settled()
  await cases.sendEmails()
  const token = (await cases.outbox.next(EMAIL)).link.searchParams.get('link')!
  const session = await cases.signIn.open({ token, browser: BROWSER, userAgent: '' })
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
