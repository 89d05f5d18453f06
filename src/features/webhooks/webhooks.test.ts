import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keptRow } from '#core/account/kept-address.ts'
import type { Subscription } from '#core/billing/subscription.ts'
import { HOUR, DAY } from '#core/time.ts'
import { codeOf } from '#test/support/codes.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import {
  MAX_WAITING,
  MAX_WEBHOOKS,
  OFF_DAYS,
  openWebhookFixture,
  PER_HOST,
  type WebhookFixture,
} from '#test/support/fixtures/webhooks.ts'
import { isSigned } from '#test/support/webhook-receiver.ts'

const CODE = 'Subject: Welcome\r\nFrom: Bank <bank@sender.example>\r\n\r\nYour code is 482913\r\n'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: WebhookFixture
  let paths = 0
  beforeAll(async () => {
    fixture = await openWebhookFixture({ engine })
  })
  afterAll(() => fixture.close())

  const newPath = () => `/hook-${++paths}`
  const keep = async (subscription: Subscription, request = {}) =>
    (await fixture.kept.create(subscription, request)).open.address
  const stateOf = async (subscription: Subscription) => (await fixture.webhooks.list(subscription))[0]?.state
  const waiting = () => fixture.store.webhookCalls.waiting()
  const idle = async () => {
    await fixture.summaries.settled()
    await expect.poll(waiting).toBe(0)
  }

  /** Creates a subscriber with an address and a webhook. */
  async function subscriber() {
    const [subscription, path] = [await fixture.subscribe(), newPath()]
    const address = await keep(subscription)
    return { subscription, path, address, ...(await fixture.hook(subscription, path)) }
  }

  test('sends a signed call with the summary once for a message to a kept address', async () => {
    const { subscription, path, address, secret, id } = await subscriber()
    const tags = ['+shop@', '+copy@'].map((tag) => address.replace('@', tag).toUpperCase())
    await fixture.deliver(tags, CODE)
    const [call] = await fixture.receiver.until(path)
    expect(JSON.parse(call!.body)).toEqual({
      type: 'message',
      address,
      message: {
        id: expect.stringMatching(/^\w{26}$/),
        from: { name: 'Bank', address: 'bank@sender.example' },
        to: tags[0],
        recipients: tags,
        subject: 'Welcome',
        receivedAt: new Date(fixture.time.now).toISOString(),
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        size: CODE.length,
        seen: false,
        preview: expect.stringContaining('Your code'),
        code: '482913',
        link: null,
        authentication: { spf: 'pending', dkim: 'pending', dmarc: 'pending' },
        attachments: [],
        candidates: [
          { kind: 'code', value: '482913', confidence: expect.any(Number), context: expect.stringContaining('482913') },
        ],
        unreadable: false,
      },
    })
    expect(call!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[\w-]{22}$/),
      'webhook-timestamp': String(Math.floor(fixture.time.now / 1000)),
    })
    expect(isSigned(call!, secret)).toBe(true)
    expect(isSigned({ ...call!, body: `${call!.body} ` }, secret)).toBe(false)
    const other = await fixture.hook(await fixture.subscribe(), newPath())
    expect(isSigned(call!, other.secret)).toBe(false)
    await idle()
    expect(await fixture.webhooks.list(subscription)).toEqual([
      {
        id,
        url: fixture.receiver.url(path),
        state: 'on',
        createdAt: expect.any(Number),
        deliveredAt: fixture.time.now,
      },
    ])
    expect(fixture.receiver.of(path)).toHaveLength(1)
  })

  test('sends a call for addresses of API keys, and none for other or fully private addresses', async () => {
    const { subscription, path } = await subscriber()
    const { token } = await fixture.keys.create(subscription, 'Tests')
    const created = await fixture.keys.createAddress(await fixture.keys.find(token), { login: `by.key${paths}` })
    const free = await fixture.addresses.create({})
    const stranger = await keep(await fixture.subscribe())
    const hidden = await fixture.claims.claimFirst(fixture.names.forVisitor({}), { lifetime: 'day' })
    const privateAddress = {
      addressId: hidden.open.row.id,
      subscriptionId: subscription.id,
      nameKey: hidden.open.row.nameKey,
    }
    const sealedName = fixture.wrap.wrap('address', hidden.open.address, keptRow(privateAddress))
    const kept = { ...privateAddress, sealedName, sealedLabel: null, sealedSecret: null, createdAt: fixture.time.now }
    expect(await fixture.store.keptAddresses.add(kept, 10, fixture.time.now)).toBe(true)
    for (const address of [hidden.open.address, free.open.address, stranger]) await fixture.deliver([address])
    await fixture.summaries.settled()
    await fixture.deliver([created.open.address])
    const [call] = await fixture.receiver.until(path)
    expect(JSON.parse(call!.body)).toMatchObject({ address: created.open.address })
    await idle()
    expect(fixture.receiver.of(path)).toHaveLength(1)
  })

  test('retries a failed call with increasing delays and the same id until it succeeds', async () => {
    const { subscription, path, address } = await subscriber()
    fixture.receiver.answers.set(path, 500)
    await fixture.deliver([address])
    await fixture.receiver.until(path)
    await expect.poll(() => stateOf(subscription)).toBe('failing')
    // Nothing is sent half a second earlier. The delays are 5 s after the first failure and 10 s after the second.
    for (const [attempt, wait] of [
      [2, 5000],
      [3, 10_000],
    ] as const) {
      fixture.later(wait - 500)
      await fixture.restart()
      expect(fixture.receiver.of(path)).toHaveLength(attempt - 1)
      if (attempt === 3) fixture.receiver.answers.set(path, 204)
      fixture.later(500)
      await fixture.receiver.until(path, attempt)
      // Waits until the result is stored. If the clock advanced before, the expired lease would cause a third call.
      await fixture.restart()
    }
    await idle()
    expect(await stateOf(subscription)).toBe('on')
    const calls = fixture.receiver.of(path)
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(calls.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3)
  })

  test('treats a redirect as a failure and does not follow it', async () => {
    const { subscription, path, address } = await subscriber()
    const elsewhere = newPath()
    fixture.receiver.answers.set(path, (response) => {
      response.writeHead(302, { location: fixture.receiver.url(elsewhere) }).end()
    })
    await fixture.deliver([address])
    await expect.poll(() => stateOf(subscription)).toBe('failing')
    expect(fixture.receiver.of(elsewhere)).toEqual([])
    await fixture.webhooks.remove(subscription, (await fixture.webhooks.list(subscription))[0]!.id)
    await idle()
  })

  test('removes the webhook and its waiting calls after the status 410', async () => {
    const { subscription, path, address } = await subscriber()
    fixture.receiver.answers.set(path, 410)
    await fixture.deliver([address])
    await idle()
    expect(await fixture.webhooks.list(subscription)).toEqual([])
  })

  test('gives a call up after a day, and switches a webhook off after days of failures until a test succeeds', async () => {
    const { subscription, path, address, id } = await subscriber()
    fixture.receiver.answers.set(path, 503)
    await fixture.deliver([address])
    await expect.poll(() => stateOf(subscription)).toBe('failing')
    fixture.later(DAY - 1000)
    await idle()
    expect(await stateOf(subscription)).toBe('failing')

    fixture.time.now += (OFF_DAYS - 1) * DAY
    await fixture.deliver([address])
    await fixture.receiver.until(path, 3)
    await fixture.restart()
    expect(await stateOf(subscription)).toBe('failing')
    fixture.later(5000)
    await expect.poll(() => stateOf(subscription)).toBe('off')
    expect(await waiting()).toBe(0)
    await fixture.deliver([address])
    await fixture.summaries.settled()
    expect(await waiting()).toBe(0)

    expect(await fixture.webhooks.test(subscription, id)).toBe(503)
    expect(await stateOf(subscription)).toBe('off')
    fixture.receiver.answers.set(path, 200)
    const before = fixture.receiver.of(path).length
    expect(await fixture.webhooks.test(subscription, id)).toBe(200)
    expect(JSON.parse(fixture.receiver.of(path).at(-1)!.body)).toEqual({ type: 'test' })
    expect(await stateOf(subscription)).toBe('on')
    await fixture.deliver([address])
    await fixture.receiver.until(path, before + 2)
    await idle()
  })

  test('limits the calls to a slow host, and does not delay other hosts', async () => {
    const slow = await subscriber()
    const held: (() => void)[] = []
    fixture.receiver.answers.set(slow.path, (response) => held.push(() => void response.writeHead(204).end()))
    for (let i = 0; i < MAX_WAITING; i++) await fixture.deliver([slow.address])
    await fixture.receiver.until(slow.path, PER_HOST)
    // The same server under another name counts as another host.
    const fast = await fixture.subscribe()
    const [path, address] = [newPath(), await keep(fast)]
    await fixture.webhooks.add(fast, fixture.receiver.url(path).replace('localhost', '127.0.0.1'))
    await fixture.deliver([address])
    await fixture.receiver.until(path)
    expect(fixture.receiver.of(slow.path)).toHaveLength(PER_HOST)
    fixture.receiver.answers.set(slow.path, 204)
    for (const release of held) release()
    await fixture.receiver.until(slow.path, MAX_WAITING)
    await idle()
  })

  test('drops the newest calls if too many wait', async () => {
    const { subscription, path, address, id } = await subscriber()
    fixture.receiver.answers.set(path, 500)
    for (let i = 0; i < MAX_WAITING + 2; i++) {
      await fixture.deliver([address], `Subject: ${i}\r\n\r\n`)
      // Queued one by one, because concurrent insertions do not see each other.
      await fixture.summaries.settled()
    }
    await expect.poll(waiting).toBe(MAX_WAITING)
    await fixture.webhooks.remove(subscription, id)
    await idle()
  })

  test('sends nothing after the end of the subscription', async () => {
    const { subscription, path, address, id } = await subscriber()
    const ended = await fixture.change(subscription, { paidUntil: fixture.time.now - HOUR })
    await fixture.deliver([address])
    await fixture.summaries.settled()
    expect(await waiting()).toBe(0)
    expect(fixture.receiver.of(path)).toEqual([])
    expect(await codeOf(fixture.webhooks.test(ended, id))).toBe('premium_required')
    expect(await codeOf(fixture.hook(ended, newPath()))).toBe('premium_required')
    await fixture.webhooks.remove(ended, id)
  })

  test('limits the number of webhooks, rejects forbidden URLs, and hides them from other subscribers', async () => {
    const { subscription, id } = await subscriber()
    for (const url of [
      '',
      'mayfly',
      'ftp://localhost/',
      'http://example.com/',
      'https://10.0.0.1/',
      'http://a:b@localhost/',
    ])
      expect(await codeOf(fixture.webhooks.add(subscription, url))).toBe('webhook_invalid')
    expect(await codeOf(fixture.webhooks.add(subscription, fixture.receiver.url(`/${'x'.repeat(2000)}`)))).toBe(
      'webhook_invalid',
    )
    for (let i = 1; i < MAX_WEBHOOKS; i++) await fixture.hook(subscription, newPath())
    expect(await codeOf(fixture.hook(subscription, newPath()))).toBe('webhooks_full')
    const stranger = await fixture.subscribe()
    expect(await codeOf(fixture.webhooks.remove(stranger, id))).toBe('webhook_not_found')
    expect(await codeOf(fixture.webhooks.test(stranger, id))).toBe('webhook_not_found')
    await fixture.webhooks.remove(subscription, id)
    expect(await fixture.webhooks.list(subscription)).toHaveLength(MAX_WEBHOOKS - 1)
  })
})
