import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SIGN_IN_TRIES } from '#core/account/account.ts'
import { MayflyError } from '#core/errors.ts'
import { MINUTE } from '#core/time.ts'
import { type AccountFixture, LINK_MINUTES, openAccountFixture } from '#test/support/fixtures/account.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

const EMAIL = 'ann@example.com'
const BROWSER = 'cookie of a browser'
const invalid = new MayflyError('sign_in_link_invalid')
const wrong = new MayflyError('sign_in_code_invalid')

describe.each(ENGINES)('a link that was used, on %s', (engine) => {
  let cases: AccountFixture
  beforeEach(async () => {
    cases = await openAccountFixture({ engine })
    await cases.subscribe(EMAIL)
  })
  afterEach(() => cases.close())

  /** Requests a link. Returns its token and its code. */
  async function requested(): Promise<{ token: string; code: string }> {
    cases.signIn.ask({ email: EMAIL, language: 'en', browser: BROWSER })
    await cases.signIn.settled()
    await cases.sendEmails()
    const token = (await cases.outbox.next(EMAIL, 'sign-in')).link.searchParams.get('link')!
    const shown = await cases.signIn.view(token, 'another')
    return { token, code: shown.state === 'elsewhere' ? shown.code : '' }
  }
  const open = (by: { token: string } | { code: string }, browser: string | undefined = BROWSER) =>
    cases.signIn.open({ ...by, browser, userAgent: 'Firefox/140.0' })
  const sessionsOf = async (session: string) => (await cases.account.view((await cases.signIn.find(session))!)).sessions

  test.each([
    ['link', 'link'],
    ['link', 'code'],
    ['code', 'link'],
    ['code', 'code'],
  ])('gives its browser the same session again: %s, then %s', async (first, second) => {
    const { token, code } = await requested()
    const by = { link: { token }, code: { code } }
    const session = await open(by[first as 'link'])
    expect(await cases.signIn.view(token, BROWSER)).toMatchObject({ state: 'here', token })
    expect(await open(by[second as 'link'])).toBe(session)
    expect(await sessionsOf(session)).toHaveLength(1)
    // Wrong codes do not count for a link that was used.
    for (let i = 0; i <= SIGN_IN_TRIES; i++) await expect(open({ code: '123' })).rejects.toThrow(wrong)
    expect(await open(by[second as 'link'])).toBe(session)
  })

  test('gives it again after the last try of its code', async () => {
    const { code } = await requested()
    for (let i = 1; i < SIGN_IN_TRIES; i++) await expect(open({ code: '123' })).rejects.toThrow(wrong)
    expect(await open({ code })).toBe(await open({ code }))
  })

  test('adds one session if it is opened many times at once', async () => {
    const { token } = await requested()
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => open({ token })))
    const sessions = new Set(
      opened.filter(({ status }) => status === 'fulfilled').map((each) => 'value' in each && each.value),
    )
    expect(sessions.size).toBe(1)
    expect(await sessionsOf([...sessions][0] as string)).toHaveLength(1)
  })

  test('is over in a browser that has its session', async () => {
    const { token } = await requested()
    const session = await open({ token })
    expect(await cases.signIn.view(token, BROWSER, session)).toEqual({ state: 'over' })
    expect(await cases.signIn.view(token, BROWSER, 'another session')).toMatchObject({ state: 'here' })
  })

  test('is over in every other browser', async () => {
    const { token, code } = await requested()
    await open({ token })
    for (const browser of ['another', '', undefined]) {
      expect(await cases.signIn.view(token, browser)).toEqual({ state: 'over' })
      await expect(cases.signIn.open({ token, browser, userAgent: '' })).rejects.toThrow(invalid)
      await expect(cases.signIn.open({ code, browser, userAgent: '' })).rejects.toThrow(wrong)
    }
  })

  test('signs nobody in after its session was ended', async () => {
    const { token, code } = await requested()
    await cases.signIn.end((await cases.signIn.find(await open({ token })))!)
    expect(await cases.signIn.view(token, BROWSER)).toEqual({ state: 'over' })
    await expect(open({ token })).rejects.toThrow(invalid)
    await expect(open({ code })).rejects.toThrow(wrong)
  })

  test(`is over ${LINK_MINUTES} minutes after it was requested`, async () => {
    const { token, code } = await requested()
    const session = await open({ token })
    cases.time.now += LINK_MINUTES * MINUTE - 1
    expect(await open({ token })).toBe(session)
    cases.time.now += 1
    expect(await cases.signIn.view(token, BROWSER)).toEqual({ state: 'over' })
    await expect(open({ token })).rejects.toThrow(invalid)
    await expect(open({ code })).rejects.toThrow(wrong)
  })

  test('replaces the session that its browser had, and that of no other browser', async () => {
    const [one, two, three] = [await requested(), await requested(), await requested()]
    const session = await open({ token: one.token })
    const elsewhere = await open({ token: two.token })
    const by = { browser: BROWSER, userAgent: '', session }
    const renewed = await cases.signIn.open({ token: three.token, ...by })
    expect(await cases.signIn.find(session)).toBeUndefined()
    expect(await cases.signIn.find(elsewhere)).toBeDefined()
    expect(await sessionsOf(renewed)).toHaveLength(2)
    expect(await cases.signIn.open({ token: three.token, ...by, session: renewed })).toBe(renewed)
    expect(await cases.signIn.find(renewed)).toBeDefined()
  })

  test('has another session than any other link', async () => {
    const [one, two] = [await requested(), await requested()]
    expect(await open({ token: one.token })).not.toBe(await open({ token: two.token }))
  })
})
