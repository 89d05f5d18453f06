import { createECDH, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PushSubscription } from '#core/push/push.ts'
import { createPushes, type PushesDeps } from './pushes.ts'

test('unknown hosts share one key, and so the slots of one host', async () => {
  const hostKeys: string[] = []
  const pushes = createPushes({
    store: { subscribe: async ({ hostKey }: PushSubscription) => hostKeys.push(hostKey) > 0 },
    service: { allows: async () => true },
    wrap: { wrap: () => new Uint8Array(), hash: (_key: string, text: string) => text },
    clock: () => 0,
  } as unknown as PushesDeps)
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  for (const host of ['a.example', 'b.example', 'fcm.googleapis.com', 'web.push.apple.com', 'other.push.apple.com'])
    await pushes.subscribe({ row: { id: 'one' } } as never, { endpoint: `https://${host}/send`, keys }, null)
  const [one, other, google, apple, another] = hostKeys
  expect([other, another]).toEqual([one, apple])
  expect(new Set([one, google, apple]).size).toBe(3)
})
