import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { Store } from '#core/store.ts'
import { HOUR, MINUTE } from '#core/time.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import { openWebhookFixture, type WebhookFixture } from '#test/support/fixtures/webhooks.ts'
import { isSigned } from '#test/support/webhook-receiver.ts'

const CODE = 'Subject: Welcome\r\nFrom: Bank <bank@sender.example>\r\n\r\nYour code is 482913\r\n'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: WebhookFixture
  let paths = 0
  /** Whether the store currently rejects summaries. */
  let rejectsSummaries = false
  /** Whether the process hears nothing of the summaries that the store commits, as if it died meanwhile. */
  let hearsNothing = false
  const wrap = (store: Store): Store => ({
    ...store,
    messages: {
      ...store.messages,
      attachSummaries: async (summaries) => {
        if (rejectsSummaries) throw new MayflyError('store_unavailable')
        const queued = await store.messages.attachSummaries(summaries)
        if (hearsNothing) throw new MayflyError('store_unavailable')
        return queued
      },
    },
  })
  beforeAll(async () => {
    fixture = await openWebhookFixture({ engine, wrap })
  })
  afterAll(() => fixture.close())

  const waiting = () => fixture.store.webhookCalls.waiting()
  const idle = async () => {
    await fixture.summaries.settled()
    await expect.poll(waiting).toBe(0)
  }

  /** Creates a subscriber with a webhook and an address. `open` opens it. */
  async function subscriber() {
    const [subscription, path] = [await fixture.subscribe(), `/durable-${++paths}`]
    const { address } = (await fixture.kept.create(subscription, {})).open
    const hook = await fixture.hook(subscription, path)
    const [kept] = await fixture.kept.listAndRestore(subscription)
    return { subscription, hook, path, address, open: (await fixture.kept.open(subscription, kept!.id)).open }
  }

  /** Delivers a message whose summary can't be stored. */
  async function deliverWithoutSummary(address: string): Promise<void> {
    rejectsSummaries = true
    await fixture.deliver([address], CODE)
    await fixture.summaries.settled()
    rejectsSummaries = false
    expect(await waiting()).toBe(0)
  }

  test('sends the call when the message is read if the summary is made only then', async () => {
    const { path, address, open } = await subscriber()
    await deliverWithoutSummary(address)
    const { messages } = await fixture.messages.list(open, {})
    const [call] = await fixture.receiver.until(path)
    expect(JSON.parse(call!.body).message).toMatchObject({ id: messages[0]!.id, code: '482913' })
    await fixture.messages.list(open, {})
    await idle()
    expect(fixture.receiver.of(path)).toHaveLength(1)
  })

  test('sends the call if the summary can be stored only when the sender has been checked', async () => {
    const { path, address, open } = await subscriber()
    await deliverWithoutSummary(address)
    const [listed] = await fixture.messages.newest(open, 1)
    rejectsSummaries = true
    await fixture.messages.read(open, listed!.id)
    rejectsSummaries = false
    const [call] = await fixture.receiver.until(path)
    expect(JSON.parse(call!.body).message).toMatchObject({ id: listed!.id, code: '482913' })
    await idle()
    expect(fixture.receiver.of(path)).toHaveLength(1)
  })

  test('sends the call if the process dies right after the summary is stored', async () => {
    const { path, address, open } = await subscriber()
    hearsNothing = true
    await fixture.deliver([address], CODE)
    await fixture.summaries.settled()
    hearsNothing = false
    expect((await fixture.messages.changes(open, 0)).messages).toMatchObject([{ summary: { code: '482913' } }])
    await fixture.restart()
    await fixture.receiver.until(path)
    await idle()
    expect(fixture.receiver.of(path)).toHaveLength(1)
  })

  test('sends one call if several nodes make the summary, also after the first call was answered', async () => {
    const { path, address, open } = await subscriber()
    await deliverWithoutSummary(address)
    const [row] = await fixture.store.messages.list(open.row.id, { now: fixture.time.now, limit: 1 })
    const other = await fixture.newNode()
    await Promise.all([fixture, fixture, other].map(({ summaries }) => summaries.read(open, row!)))
    await fixture.receiver.until(path)
    await idle()
    for (const { summaries, messages } of [fixture, other]) {
      expect(await summaries.read(open, row!)).toMatchObject({ code: '482913' })
      await messages.read(open, row!.id)
    }
    await idle()
    expect(fixture.receiver.of(path)).toHaveLength(1)
  })

  test('sends one call although the clock of another node is two minutes ahead', async () => {
    const { path, address } = await subscriber()
    const called = Promise.withResolvers<() => void>()
    fixture.receiver.answers.set(path, (response) => called.resolve(() => void response.writeHead(204).end()))
    await fixture.deliver([address], CODE)
    const respond = await called.promise
    const other = await fixture.newNode()
    fixture.time.now += 2 * MINUTE
    other.webhookSender.start()
    // Resolves when it has looked for calls and made them.
    await other.webhookSender.stop(MINUTE)
    expect(fixture.receiver.of(path)).toHaveLength(1)
    respond()
    await idle()
    expect(fixture.receiver.of(path)).toHaveLength(1)
  })

  test('drops the calls that wait when the subscription ends', async () => {
    const [ended, other] = [await subscriber(), await subscriber()]
    for (const { path } of [ended, other]) fixture.receiver.answers.set(path, 500)
    await fixture.deliver([ended.address, other.address], CODE)
    await fixture.summaries.settled()
    for (const { path } of [ended, other]) await fixture.receiver.until(path)
    const states = async () =>
      (await Promise.all([ended, other].map(({ subscription }) => fixture.webhooks.list(subscription)))).map(
        ([webhook]) => webhook?.state,
      )
    await expect.poll(states).toEqual(['failing', 'failing'])
    await fixture.change(ended.subscription, { paidUntil: fixture.time.now - HOUR })
    for (const { path } of [ended, other]) fixture.receiver.answers.set(path, 204)
    fixture.later(10_000)
    await fixture.receiver.until(other.path, 2)
    await idle()
    expect(fixture.receiver.of(ended.path)).toHaveLength(1)
    expect(await states()).toEqual(['failing', 'on'])
  })

  test('gives a webhook that is added again a new secret, because the response may have been lost', async () => {
    const { subscription, hook, path, address } = await subscriber()
    await fixture.deliver([address], CODE)
    await fixture.receiver.until(path)
    await idle()
    const again = await fixture.webhooks.add(subscription, ` ${fixture.receiver.url(path)}#again`)
    expect(again.secret).not.toBe(hook.secret)
    expect([again.id, await fixture.webhooks.list(subscription)]).toEqual([
      hook.id,
      [expect.objectContaining({ id: hook.id })],
    ])
    await fixture.deliver([address], CODE)
    const calls = await fixture.receiver.until(path, 2)
    await idle()
    expect(calls).toHaveLength(2)
    expect([isSigned(calls[1]!, again.secret), isSigned(calls[1]!, hook.secret)]).toEqual([true, false])
    // Other subscribers and other URLs have other webhooks.
    const others = [fixture.hook(await fixture.subscribe(), path), fixture.hook(subscription, `${path}/other`)]
    for (const each of await Promise.all(others)) expect(each.id).not.toBe(hook.id)
  })
})
