import { afterEach, beforeEach, expect, test } from 'vitest'
import { MINUTE } from '#core/time.ts'
import { type AccountFixture, LINK_MINUTES, openAccountFixture, SESSION } from '#test/support/fixtures/account.ts'
import { LIMITS } from '../../composition/limits.ts'

const EMAIL = 'ann@example.com'
const BROWSER = 'cookie of a browser'
/** A network from which nothing was requested. */
const HOME = '198.51.100.7'

let cases: AccountFixture
beforeEach(async () => {
  cases = await openAccountFixture()
})
afterEach(() => cases.close())

async function requestLink(from: string, session?: string, email = EMAIL): Promise<void> {
  cases.signIn.ask({ email, language: 'en', browser: BROWSER, from, session })
  await cases.signIn.settled()
  await cases.sendEmails()
}
const sent = async (): Promise<number> => (await cases.outbox.all()).length

test('limits the links per network, so that the owner on another network still gets one', async () => {
  await cases.subscribe(EMAIL)
  for (const i of Array.from({ length: 10 }).keys()) await requestLink(`203.0.113.${i}`)
  expect(await cases.outbox.all()).toHaveLength(3)
  for (const i of Array.from({ length: 10 }).keys()) await requestLink(`2001:db8:0:${i}::1`)
  expect(await cases.outbox.all()).toHaveLength(6)
  await requestLink('198.51.100.7')
  expect(await cases.outbox.all()).toHaveLength(7)
})

test('limits all networks together to four times as many links', async () => {
  await cases.subscribe(EMAIL)
  for (const i of Array.from({ length: 20 }).keys()) await requestLink(`203.0.${i}.1`)
  expect(await cases.outbox.all()).toHaveLength(12)
  cases.time.now += LINK_MINUTES * MINUTE
  await requestLink('198.51.100.7')
  expect(await cases.outbox.all()).toHaveLength(13)
})

test('answers a wrong code after the pause, whether there are links or not', async () => {
  await cases.close()
  cases = await openAccountFixture({ codePause: LIMITS.codePause })
  await cases.subscribe(EMAIL)
  await requestLink(HOME)
  for (const browser of [BROWSER, 'another', undefined]) {
    const started = performance.now()
    await expect(cases.signIn.open({ code: '123', browser, userAgent: '' })).rejects.toMatchObject({
      code: 'sign_in_code_invalid',
    })
    // Timers may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThanOrEqual(300 - 1)
  }
})

/** Signs in, and lets time pass until the session is over. Returns the cookie of the session. */
async function formerSession(email = EMAIL, from = '192.0.2.1'): Promise<string> {
  await requestLink(from, undefined, email)
  const token = (await cases.outbox.next(email, 'sign-in')).link.searchParams.get('link')!
  const session = await cases.signIn.open({ token, browser: BROWSER, userAgent: '' })
  cases.time.now += SESSION
  expect(await cases.signIn.find(session)).toBeUndefined()
  return session
}

/** Requests the links that all networks together get. */
async function useUpLinks(): Promise<void> {
  for (const i of Array.from({ length: 20 }).keys()) await requestLink(`203.0.${i}.1`)
}

test('a browser that was signed in gets links when strangers have used up theirs, also from their network', async () => {
  await cases.subscribe(EMAIL)
  const session = await formerSession()
  await useUpLinks()
  const before = await sent()
  await requestLink(HOME)
  expect((await sent()) - before).toBe(0)
  for (const from of [HOME, '203.0.0.1', HOME, HOME]) await requestLink(from, session)
  expect((await sent()) - before).toBe(3)
})

test('browsers that were signed in get as many links together as all networks', async () => {
  await cases.subscribe(EMAIL)
  const sessions: string[] = []
  for (let i = 0; i < 5; i++) sessions.push(await formerSession(EMAIL, `192.0.${i}.1`))
  await useUpLinks()
  const before = await sent()
  for (const session of sessions) for (let i = 0; i < 4; i++) await requestLink(HOME, session)
  expect((await sent()) - before).toBe(12)
})

test('the cookie of another subscription, or a forged one, gets no links of its own', async () => {
  await cases.subscribe(EMAIL)
  const session = await formerSession()
  await cases.subscribe('bob@example.com')
  const other = await formerSession('bob@example.com')
  await useUpLinks()
  const before = await sent()
  const changed = session.startsWith('A') ? `B${session.slice(1)}` : `A${session.slice(1)}`
  const forged = [other, changed, session.slice(0, -1), `${session}A`, '', 'A'.repeat(43), 'ü'.repeat(43), '\0']
  for (const each of forged) await requestLink(HOME, each)
  expect((await sent()) - before).toBe(0)
})
