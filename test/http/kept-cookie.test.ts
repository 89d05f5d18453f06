import { beforeAll, describe, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { current, keep, LIST, payload, subscriber } from '#test/support/fixtures/kept-client.ts'
import { type SiteClient, siteClient, signedIn } from '#test/support/fixtures/subscriber.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { createAddress } from '#test/support/program/api.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

describe('the cookie of a kept address', () => {
  const COOKIE = 'mayfly_secret'
  const isRefused = async (client: SiteClient): Promise<void> => {
    for (const [method, path] of [
      ['GET', '/api/v1/address'],
      ['GET', '/api/v1/messages'],
      ['POST', '/api/v1/session/reveal'],
    ] as const)
      expect(await answerOf(client.send(method, path)), path).toEqual([401, 'unauthorized'])
  }
  const reveal = async (client: SiteClient): Promise<string> =>
    ((await (await client.send('POST', '/api/v1/session/reveal')).json()) as { secret: string }).secret

  test('has no secret, however it was set, and opens nothing alone or in another session', async () => {
    const { client, email } = await subscriber(program)
    const kept = await keep(client)
    const attempts: [string, (browser: SiteClient) => Promise<unknown>][] = [
      ['opened', (browser) => browser.send('POST', `${LIST}/${kept.id}/open`)],
      ['made', (browser) => browser.send('POST', '/api/v1/addresses', {})],
      ['as the first address on the page', (browser) => payload(browser, '/')],
      [
        'by its recovery link',
        async (browser) => browser.send('POST', '/api/v1/session', { secret: await reveal(client) }),
      ],
      [
        'adopted',
        async (browser) => {
          const { secret } = await createAddress(program.url)
          await browser.send('POST', '/api/v1/session', { secret })
          await keep(browser, { adopt: true })
        },
      ],
    ]
    await client.send('POST', `${LIST}/${kept.id}/open`)
    for (const [way, open] of attempts) {
      const browser = await signedIn(program, email)
      await open(browser)
      const secret = await reveal(browser)
      const cookie = browser.cookies.get(COOKIE)!
      expect(cookie, way).not.toContain(secret)
      const stolen = siteClient(program)
      for (const value of [cookie, cookie.split('.')[1]!, cookie.slice(0, cookie.lastIndexOf('.')), `${cookie}.s`]) {
        stolen.cookies.set(COOKIE, value)
        await isRefused(stolen)
      }
      const other = await signedIn(program, email)
      other.cookies.set(COOKIE, cookie)
      await isRefused(other)
      // It does not change until the browser is signed out.
      expect((await browser.send('GET', '/api/v1/address')).status, way).toBe(200)
      const { mayfly_account: account } = Object.fromEntries(browser.cookies)
      await browser.send('DELETE', '/api/v1/account/session')
      expect(browser.cookies.has(COOKIE), way).toBe(false)
      browser.cookies.set(COOKIE, cookie).set('mayfly_account', account!)
      await isRefused(browser)
    }
  })

  test('opens its address after the browser has signed in again, and no other one has a cookie of the new session', async () => {
    const { client, email } = await subscriber(program)
    const kept = await keep(client)
    await client.send('POST', `${LIST}/${kept.id}/open`)
    const again = async (by: string) => {
      const before = client.cookies.get(COOKIE)
      await signedIn(program, by, outboxOf(program), client)
      return client.cookies.get(COOKIE) !== before
    }
    expect(await again(email)).toBe(true)
    expect((await current(client)).address).toBe(kept.address)
    // An address of another account, or of nobody, stays as it is.
    const other = await subscriber(program)
    expect(await again(other.email)).toBe(false)
    await isRefused(client)
    const { secret } = await createAddress(program.url)
    await client.send('POST', '/api/v1/session', { secret })
    expect(await again(email)).toBe(false)
  })

  test('with a secret of an earlier version becomes a pass in a signed-in browser, and is refused in others', async () => {
    const { client } = await subscriber(program)
    const kept = await keep(client)
    await client.send('POST', `${LIST}/${kept.id}/open`)
    const secret = await reveal(client)
    for (const old of [`${secret}.s`, secret]) {
      client.cookies.set(COOKIE, old)
      expect((await current(client)).address).toBe(kept.address)
      expect(await payload(client, '/')).toMatchObject({ data: { address: { address: kept.address } } })
      expect(client.cookies.get(COOKIE)).toMatch(/^kept\./)
      expect((await current(client)).address).toBe(kept.address)
    }
    const stranger = siteClient(program)
    stranger.cookies.set(COOKIE, `${secret}.s`)
    await isRefused(stranger)
    expect(await payload(stranger, '/')).toMatchObject({ data: { address: null, ended: false, createOnLoad: true } })
  })
})
