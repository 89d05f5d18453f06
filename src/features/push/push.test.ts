import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#core/time.ts'
import { type FakePushService, startPushService, vapidClaims } from '#test/support/fakes/push-service.ts'
import { type MailboxFixture, openMailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let service: FakePushService
  let fixture: MailboxFixture
  beforeAll(async () => {
    service = await startPushService()
    fixture = await openMailboxFixture({ engine, overrides: { random: () => 0 } })
    fixture.pushSender.start()
  })
  afterAll(async () => {
    await fixture.close()
    await service.close()
  })

  async function subscribed() {
    const browser = service.browser()
    const { open } = await fixture.addresses.create({})
    const { id } = await fixture.pushes.subscribe(open, browser.subscription, null)
    const listed = async () => (await fixture.pushes.list(open)).map((each) => each.id)
    return { browser, open, id, listed, deliver: () => fixture.deliver([open.address]) }
  }
  const later = (milliseconds: number): void => {
    fixture.time.now += milliseconds
    fixture.pushSender.wake()
  }
  const idle = async () => {
    await expect.poll(() => fixture.store.pushes.waiting()).toBe(0)
  }

  test('sends an encrypted push with the id of the message and the number of unread ones', async () => {
    const { browser, open, id, deliver } = await subscribed()
    await deliver()
    const [push] = await browser.until(1)
    const [message] = await fixture.store.messages.list(open.row.id, { now: fixture.time.now, limit: 1 })
    expect(push!.payload).toEqual({ id: message?.id, count: 1, subscription: expect.stringMatching(/^[\w-]{22}$/) })
    expect(push!.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      urgency: 'high',
      ttl: String((24 * HOUR) / SECOND),
      topic: id,
    })
    const claims = vapidClaims(push!.headers.authorization ?? '', await fixture.pushes.publicKey())
    expect(claims).toMatchObject({ aud: service.origin, sub: expect.stringMatching(/^mailto:postmaster@/) })
    await idle()
    expect(browser.pushes()).toHaveLength(1)
  })

  test('are not for a browser whose secret was replaced while its push service was looked up', async () => {
    const { open } = await fixture.addresses.create({})
    const renewed = await fixture.secrets.replace(open)
    const { subscription } = service.browser()
    await expect(fixture.pushes.subscribe(open, subscription, null)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await fixture.pushes.list(open)).toEqual([])
    await fixture.pushes.subscribe(renewed.open, subscription, null)
    expect(await fixture.pushes.list(open)).toHaveLength(1)
  })

  test('sends one push in 5 seconds for an address', async () => {
    const { browser, deliver } = await subscribed()
    await deliver()
    await browser.until(1)
    await idle()
    await deliver()
    await deliver()
    // A message is delivered before its push is queued.
    await expect.poll(() => fixture.store.pushes.waiting()).toBe(1)
    later(5 * SECOND - 1)
    expect(await fixture.store.pushes.waiting()).toBe(1)
    expect(browser.pushes()).toHaveLength(1)
    later(1)
    expect((await browser.until(2))[1]!.payload).toMatchObject({ count: 3 })
    await idle()
    expect(browser.pushes()).toHaveLength(2)
  })

  test('sends nothing about messages that were read meanwhile', async () => {
    const { browser, open, deliver } = await subscribed()
    await deliver()
    await browser.until(1)
    await idle()
    await deliver()
    const all = await fixture.store.messages.list(open.row.id, { now: fixture.time.now, limit: 9 })
    for (const { id } of all) await fixture.store.messages.mark(open.row.id, id, { seen: true })
    later(5 * SECOND)
    await idle()
    expect(browser.pushes()).toHaveLength(1)
  })

  test('forgets a browser whose host responds with 201 without naming the created message, like many servers', async () => {
    const { browser, deliver, listed } = await subscribed()
    browser.answer(201, false)
    await deliver()
    await expect.poll(listed).toEqual([])
    expect(browser.pushes()).toHaveLength(1)
  })

  test.each([404, 410, 403, 302, 200, 202])('forgets a browser whose push service responds with %i', async (status) => {
    const { browser, deliver, listed } = await subscribed()
    browser.answer(status)
    await deliver()
    await expect.poll(listed).toEqual([])
    expect(browser.pushes()).toHaveLength(1)
  })

  test('calls a host that has never accepted a push three times, also if messages are read in between', async () => {
    const { browser, open, deliver, listed } = await subscribed()
    /** Resolves when the failure is stored, and it is time for the next call. */
    const failed = async (calls: number, wait: number) => {
      await browser.until(calls)
      const then = fixture.time.now + wait
      await expect.poll(() => fixture.store.pushes.take(then, then, { limit: 1, except: [] })).toHaveLength(1)
      return () => later(wait)
    }
    browser.answer(503)
    await deliver()
    const next = await failed(1, 5 * SECOND)
    const [message] = await fixture.store.messages.list(open.row.id, { now: fixture.time.now, limit: 1 })
    await fixture.store.messages.mark(open.row.id, message!.id, { seen: true })
    next()
    await idle()
    await deliver()
    ;(await failed(2, 10 * SECOND))()
    await expect.poll(listed).toEqual([])
    expect(browser.pushes()).toHaveLength(3)
  })

  test('retries while the push service fails, until the address has ended', async () => {
    const { browser, deliver, listed, id } = await subscribed()
    browser.answer(503)
    await deliver()
    await browser.until(1)
    const passed = { now: fixture.time.now }
    browser.answer(201)
    await expect.poll(() => (later(5 * SECOND), browser.pushes().length)).toBe(2)
    await idle()
    expect(await listed()).toEqual([id])
    expect(fixture.time.now).toBeGreaterThan(passed.now)
    browser.answer(429)
    later(5 * SECOND)
    await deliver()
    await expect.poll(async () => (later(30 * MINUTE), await listed()), { timeout: 20_000 }).toEqual([])
  })

  test('all nodes have the same keys, and a browser has one subscription for each address', async () => {
    const { browser, open, id } = await subscribed()
    const node = await fixture.newNode()
    expect(await node.pushes.publicKey()).toBe(await fixture.pushes.publicKey())
    expect(await node.pushes.subscribe(open, browser.subscription, null)).toMatchObject({ id })
    const { open: other } = await fixture.addresses.create({})
    expect((await fixture.pushes.subscribe(other, browser.subscription, null)).id).not.toBe(id)
    await fixture.pushes.remove(open, id)
    expect(await fixture.pushes.list(open)).toEqual([])
  })

  test('accepts only complete subscriptions at public hosts', async () => {
    const { open } = await fixture.addresses.create({})
    const { keys } = service.browser().subscription
    const refused = [
      { endpoint: 'http://push.example/send', keys },
      { endpoint: 'https://10.0.0.1/send', keys },
      { endpoint: 'https://169.254.169.254/latest', keys },
      { endpoint: 'nothing', keys },
      { ...service.browser().subscription, keys: { ...keys, auth: 'AAAA' } },
      { ...service.browser().subscription, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
    ]
    for (const each of refused)
      await expect(fixture.pushes.subscribe(open, each, null)).rejects.toMatchObject({ code: 'push_invalid' })
  })
})
