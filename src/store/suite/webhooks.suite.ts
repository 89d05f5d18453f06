import { describe, expect, test } from 'vitest'
import type { NewSummary } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import { HOUR, DAY } from '#core/time.ts'
import type { WaitingCall, Webhook } from '#core/webhooks/webhook.ts'
import { claimed, key, newMessage, NOW } from './fixtures.ts'
import { newCall, newSummary, newWebhook, queueCalls, subscribed } from './premium-fixtures.ts'

const ANY = { limit: 100, except: [] }

export function webhooksContract(current: () => Store): void {
  const webhooks = () => current().webhooks
  const webhookCalls = () => current().webhookCalls

  async function added(fields: Partial<Webhook> = {}): Promise<Webhook> {
    const { id } = await subscribed(current())
    const webhook = newWebhook(id, fields)
    expect(await webhooks().add(webhook, 5)).toBe(true)
    return webhook
  }
  const queue = (...args: Parameters<typeof queueCalls> extends [Store, ...infer Rest] ? Rest : never) =>
    queueCalls(current(), ...args)
  const found = ({ subscriptionId, id }: Webhook) => webhooks().find(subscriptionId, id)
  /** Leases all due calls for one millisecond. */
  async function takeAll(now: number): Promise<Map<string, WaitingCall>> {
    const all = new Map<string, WaitingCall>()
    for (;;) {
      const taken = await webhookCalls().take(now, now + 1, ANY)
      if (taken.length === 0) return all
      for (const each of taken) all.set(each.id, each)
    }
  }
  const ids = (taken: readonly WaitingCall[]): string[] => taken.map(({ id }) => id).toSorted()

  describe('webhooks', () => {
    test('lists and finds webhooks of their owner, who alone can remove them', async () => {
      const { id } = await subscribed(current())
      const [first, second] = [newWebhook(id), newWebhook(id, { createdAt: NOW + 1 })]
      for (const each of [second, first]) expect(await webhooks().add(each, 2)).toBe(true)
      expect(await webhooks().list(id)).toEqual([first, second])
      expect(await found(first)).toEqual(first)
      const stranger = await subscribed(current())
      expect(await webhooks().find(stranger.id, first.id)).toBeUndefined()
      expect(await webhooks().remove(stranger.id, first.id)).toBe(false)
      expect(await webhooks().remove(id, first.id)).toBe(true)
      expect(await webhooks().remove(id, first.id)).toBe(false)
      expect(await webhooks().list(id)).toEqual([second])
    })

    test('keeps the limit under concurrency, and adds no webhook without a subscription', async () => {
      const { id } = await subscribed(current())
      const answers = await Promise.all(Array.from({ length: 20 }, () => webhooks().add(newWebhook(id), 3)))
      expect(answers.filter(Boolean)).toHaveLength(3)
      expect(await webhooks().add(newWebhook(key()), 3)).toBe(false)
    })

    test('leases due calls to one caller until the lease ends', async () => {
      const webhook = await added()
      const call = newCall(webhook.id)
      expect(await queue([call])).toEqual({ queued: 1, dropped: 0 })
      expect(await webhookCalls().waiting()).toBe(1)
      const { webhookId: _w, ...waiting } = call
      expect(await webhookCalls().take(NOW - 1, NOW + HOUR, ANY)).toEqual([])
      expect(await webhookCalls().take(NOW, NOW + HOUR, ANY)).toEqual([{ ...waiting, attempts: 0, webhook }])
      expect(await webhookCalls().take(NOW + HOUR - 1, NOW + DAY, ANY)).toEqual([])
      expect(await webhookCalls().take(NOW + HOUR, NOW + DAY, ANY)).toHaveLength(1)
    })

    test('leases different calls to concurrent callers', async () => {
      const created = await Promise.all(Array.from({ length: 5 }, () => added()))
      const queued = created.flatMap(({ id }) => Array.from({ length: 6 }, () => newCall(id)))
      await queue(queued)
      const taken = await Promise.all(
        Array.from({ length: 10 }, () => webhookCalls().take(NOW, NOW + HOUR, { ...ANY, limit: 4 })),
      )
      expect(taken.every((each) => each.length <= 4)).toBe(true)
      const rest = [...(await takeAll(NOW)).values()]
      expect(ids([...taken.flat(), ...rest])).toEqual(queued.map(({ id }) => id).toSorted())
    })

    test('leases one call per host, and none to busy hosts', async () => {
      const [slow, fast] = [await added({ hostKey: 'slow' }), await added({ hostKey: 'fast' })]
      await queue([slow, slow, slow, fast].map(({ id }, i) => newCall(id, { createdAt: NOW + i })))
      const of = async (rules: object): Promise<string[]> => {
        const taken = await webhookCalls().take(NOW + 9, NOW + HOUR, { ...ANY, ...rules })
        return taken.map(({ webhook }) => webhook.hostKey).toSorted()
      }
      expect(await of({})).toEqual(['fast', 'slow'])
      expect(await of({ except: ['slow', 'another'] })).toEqual([])
      expect(await of({ limit: 0 })).toEqual([])
      expect([await of({}), await of({}), await of({})]).toEqual([['slow'], ['slow'], []])
    })

    test('removes a successful call, and retries a failed one until it is given up', async () => {
      const webhook = await added()
      const [good, bad] = [newCall(webhook.id), newCall(webhook.id)]
      await queue([good, bad])
      const taken = await takeAll(NOW)
      await webhookCalls().recordFailure(taken.get(bad.id)!, NOW + 1, NOW + HOUR)
      expect(await found(webhook)).toMatchObject({ failingSince: NOW + 1, deliveredAt: null })
      await webhookCalls().recordFailure(taken.get(bad.id)!, NOW + 2, NOW + HOUR)
      expect(await found(webhook)).toMatchObject({ failingSince: NOW + 1 })
      await webhookCalls().recordSuccess(taken.get(good.id)!, NOW + 3)
      expect(await found(webhook)).toMatchObject({ failingSince: null, deliveredAt: NOW + 3 })
      expect([...(await takeAll(NOW + HOUR - 1)).keys()]).toEqual([])
      const again = await takeAll(NOW + HOUR)
      expect(again.get(bad.id)).toMatchObject({ attempts: 2, createdAt: NOW })
      await webhookCalls().recordFailure(again.get(bad.id)!, NOW + HOUR, null)
      expect(await webhookCalls().waiting()).toBe(0)
      expect(await found(webhook)).toMatchObject({ failingSince: NOW + HOUR })
    })

    test('queues calls with the first summary of their message only', async () => {
      const [webhook, other] = [await added(), await added()]
      const { id } = await claimed(current())
      const [one, two] = [newMessage(id), newMessage(id)]
      const attach = (...summaries: NewSummary[]) => current().messages.attachSummaries(summaries)
      await current().messages.append([one, two])
      const calls = [webhook, other].map((each) => newCall(each.id))
      const missing = { ...newMessage(id), addressId: key() }
      // Two nodes, or two visitors at one of them, may make the same summary.
      const [first, again, gone] = [newSummary(one, calls), newSummary(one, calls), newSummary(missing, calls)]
      const answers = await Promise.all([attach(gone, first, again), attach(first), attach(again)])
      expect(answers.reduce((sum, { queued }) => sum + queued, 0)).toBe(2)
      expect(answers.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(0)
      // A call that has succeeded is not queued again, not even by a summary that replaces the first one.
      for (const taken of await webhookCalls().take(NOW, NOW + HOUR, ANY))
        await webhookCalls().recordSuccess(taken, NOW)
      expect(await attach(again, { ...first, onlyIfNone: false })).toEqual({ queued: 0, dropped: 0 })
      expect(await webhookCalls().waiting()).toBe(0)
      expect(await attach({ ...newSummary(two, []), calls: undefined })).toEqual({ queued: 0, dropped: 0 })
      expect(await attach(newSummary(two, [newCall(webhook.id)]))).toEqual({ queued: 0, dropped: 0 })
      expect(await attach()).toEqual({ queued: 0, dropped: 0 })
    })

    test('limits the queue of a webhook, and skips duplicates and missing webhooks', async () => {
      const webhook = await added()
      const created = Array.from({ length: 4 }, () => newCall(webhook.id))
      expect(await queue([created[0]!, created[0]!, newCall(key())], 3)).toEqual({ queued: 1, dropped: 2 })
      expect(await queue(created, 3)).toEqual({ queued: 2, dropped: 2 })
      expect(await webhookCalls().waiting()).toBe(3)
    })

    test('switches off only a failing webhook with its queue, and on again after a success', async () => {
      const [webhook, other] = [await added(), await added()]
      await queue([newCall(webhook.id), newCall(other.id)])
      expect(await webhooks().switchOff(webhook.id, NOW + DAY)).toBe(false)
      const taken = await webhookCalls().take(NOW, NOW, ANY)
      for (const each of taken) await webhookCalls().recordFailure(each, NOW, NOW + HOUR)
      expect(await webhooks().switchOff(webhook.id, NOW - 1)).toBe(false)
      expect(await webhooks().switchOff(webhook.id, NOW)).toBe(true)
      expect(await webhooks().switchOff(webhook.id, NOW)).toBe(false)
      expect(await found(webhook)).toMatchObject({ off: true, failingSince: NOW })
      expect(await queue([newCall(webhook.id)])).toEqual({ queued: 0, dropped: 1 })
      expect((await webhookCalls().take(NOW + HOUR, NOW + HOUR, ANY)).map((each) => each.webhook.id)).toEqual([
        other.id,
      ])
      await webhooks().recordSuccess(webhook.id, NOW + 5)
      expect(await found(webhook)).toMatchObject({ off: false, failingSince: null, deliveredAt: NOW + 5 })
      expect(await queue([newCall(webhook.id)])).toEqual({ queued: 1, dropped: 0 })
    })

    test('replaces the secret of a webhook, which switches it on, and drops single calls', async () => {
      const webhook = await added()
      const calls = [newCall(webhook.id), newCall(webhook.id)]
      await queue(calls)
      const [taken] = await webhookCalls().take(NOW, NOW, ANY)
      await webhookCalls().recordFailure(taken!, NOW, NOW + HOUR)
      await webhookCalls().drop(calls[0]!.id)
      await webhookCalls().drop(key())
      expect(await webhookCalls().waiting()).toBe(1)
      await webhooks().switchOff(webhook.id, NOW)
      const sealedSecret = new Uint8Array([1, 2, 3])
      expect(await webhooks().replaceSecret(webhook.id, sealedSecret)).toBe(true)
      expect(await found(webhook)).toEqual({ ...webhook, sealedSecret, off: false, failingSince: null })
      expect(await webhooks().replaceSecret(key(), sealedSecret)).toBe(false)
    })

    test('removes queued calls with their message and their address, and adds none for them later', async () => {
      const webhook = await added()
      const { id: addressId } = await claimed(current())
      const messages = [newMessage(addressId), newMessage(addressId)]
      await current().messages.append(messages)
      const summaries = messages.map((message) => newSummary(message, [newCall(webhook.id)]))
      const other = newCall(webhook.id)
      expect(await current().messages.attachSummaries(summaries)).toEqual({ queued: 2, dropped: 0 })
      expect(await queue([other])).toEqual({ queued: 1, dropped: 0 })
      await current().messages.remove(addressId, messages[0]!.id)
      expect(await webhookCalls().waiting()).toBe(2)
      expect(await current().messages.attachSummaries(summaries)).toEqual({ queued: 0, dropped: 0 })
      await current().addresses.remove(addressId, NOW + DAY)
      expect(ids(await webhookCalls().take(NOW, NOW, ANY))).toEqual([other.id])
      expect(await current().messages.attachSummaries(summaries)).toEqual({ queued: 0, dropped: 0 })
    })

    test('removes queued calls with their expired address, and adds none for it later', async () => {
      const webhook = await added()
      const [{ id: addressId, expiresAt }, { id: live }] = [
        await claimed(current()),
        await claimed(current(), { expiresAt: NOW + 9 * DAY }),
      ]
      const [gone, kept] = [addressId, live].map((each) => newMessage(each, { expiresAt: NOW + 9 * DAY }))
      // Its partition outlasts the address.
      const later = newMessage(addressId, { expiresAt: expiresAt + HOUR })
      await current().messages.append([gone!, kept!, later])
      const summaries = [gone!, kept!, later].map((each) => newSummary(each, [newCall(webhook.id)]))
      expect(await current().messages.attachSummaries(summaries)).toEqual({ queued: 3, dropped: 0 })
      await current().addresses.removeExpired(expiresAt, 10)
      expect(await webhookCalls().waiting()).toBe(1)
      const [first, , last] = summaries
      expect(await current().messages.attachSummaries([first!, last!])).toEqual({ queued: 0, dropped: 0 })
      expect((await webhookCalls().take(NOW, NOW, ANY)).map(({ id }) => id)).toEqual([summaries[1]!.calls!.list[0]!.id])
    })

    test('removes queued calls with the webhook and with the subscription', async () => {
      const [removed, deleted, kept] = [await added(), await added(), await added()]
      const created = [removed, deleted, kept].map(({ id }) => newCall(id))
      await queue(created)
      await webhooks().remove(removed.subscriptionId, removed.id)
      await current().subscriptions.remove(deleted.subscriptionId)
      expect(await webhookCalls().waiting()).toBe(1)
      expect(await webhooks().list(deleted.subscriptionId)).toEqual([])
      expect(ids(await webhookCalls().take(NOW, NOW, ANY))).toEqual([created[2]!.id])
    })
  })
}
