import { expect, test } from 'vitest'
import type { Store } from '#core/store.ts'
import { claimed, NOW } from './fixtures.ts'
import { newKeptAddress, subscribed } from './premium-fixtures.ts'

/** Tests of values that are wrapped with the service key. */
export function wrapsContract(store: () => Store): void {
  test('lists the values of a version in batches, with the row they are bound to', async () => {
    const { wraps, emails } = store()
    const versions = { a: 1, b: 2, c: 1, d: 1 }
    for (const [id, version] of Object.entries(versions))
      await emails.add([{ id, sealed: Uint8Array.of(version, 9), createdAt: NOW }])
    const listed = async (after?: string) => (await wraps.list('emails.sealed', 1, 2, after)).map(({ key }) => key)
    expect([await listed(), await listed('c'), await listed('d')]).toEqual([['a', 'c'], ['d'], []])
    expect(await wraps.list('emails.sealed', 2, 2)).toEqual([
      {
        key: 'b',
        row: 'b',
        sealed: expect.toSatisfy((bytes: Uint8Array) => Buffer.from(bytes).equals(Buffer.of(2, 9))),
      },
    ])
  })

  test('binds the values of a kept address to its subscription and id, and those of a subscription to its email', async () => {
    const { wraps, keptAddresses } = store()
    const { id, emailKey, sealedEmail } = await subscribed(store())
    const address = await claimed(store())
    const kept = { ...newKeptAddress(id, address), sealedName: Uint8Array.of(1, 7), sealedLabel: null }
    expect(await keptAddresses.add(kept, 1, NOW)).toBe(true)
    expect(await wraps.list('kept_addresses.sealed_name', 1, 9)).toMatchObject([
      { key: address.id, row: `${id} ${address.id}` },
    ])
    expect(await wraps.list('kept_addresses.sealed_label', 1, 9)).toEqual([])
    expect(await wraps.list('subscriptions.sealed_email', sealedEmail[0] ?? 0, 9)).toMatchObject([
      { key: id, row: emailKey },
    ])
  })

  test('replaces a value once, and not if it was changed in the meantime', async () => {
    const { wraps, emails } = store()
    await emails.add([{ id: 'a', sealed: Uint8Array.of(1, 9), createdAt: NOW }])
    const [found] = await wraps.list('emails.sealed', 1, 9)
    const outcomes = await Promise.all(
      [3, 4].map((byte) => wraps.replace('emails.sealed', found!, Uint8Array.of(2, byte))),
    )
    expect(outcomes.toSorted()).toEqual([false, true])
    expect(await wraps.list('emails.sealed', 1, 9)).toEqual([])
  })

  test.each([
    'subscriptions.sealed_email',
    'orders.sealed_email',
    'emails.sealed',
    'account_sessions.sealed_label',
    'kept_addresses.sealed_name',
    'kept_addresses.sealed_label',
    'kept_addresses.sealed_secret',
    'api_keys.sealed_label',
    'webhooks.sealed_url',
    'webhooks.sealed_secret',
    'webhook_deliveries.sealed',
    'forwardings.sealed_destination',
    'push_subscriptions.sealed',
  ] as const)('lists and replaces %s', async (column) => {
    const { wraps } = store()
    expect(await wraps.list(column, 1, 9)).toEqual([])
    const none = { key: 'none', row: 'none', sealed: Uint8Array.of(1) }
    expect(await wraps.replace(column, none, Uint8Array.of(2))).toBe(false)
  })
}
