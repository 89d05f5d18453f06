import { beforeEach, expect, test, vi } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import type { OwnDomain } from '#core/own-domains/own-domain.ts'
import type { Store } from '#core/store.ts'
import { DAY, SECOND } from '#core/time.ts'
import { createDomainRecipients } from './own-domain-recipients.ts'

let now = 0
let owners: Record<string, Partial<OwnDomain>>
const owner = vi.fn(async (name: string) => owners[name] as OwnDomain | undefined)
const find = vi.fn(async (id: string) =>
  id === 'gone' ? undefined : ({ id, lapsed: id === 'lapsed' } as Subscription),
)
const store = { ownDomains: { owner }, subscriptions: { find } } as unknown as Store
const open = () => createDomainRecipients({ store, clock: () => now, rules: { failing: 60 * SECOND } })

beforeEach(() => {
  vi.clearAllMocks()
  owners = { 'own.example': { subscriptionId: 'ada', state: 'verified', failingSince: null, catchAll: null } }
})

test.each([
  ['verified', { state: 'verified' }, true],
  ['failing for less than the limit and a day', { state: 'failing', failingSince: 1 }, true],
  ['failing for longer than the limit and a day', { state: 'failing', failingSince: 0 }, false],
  ['of a subscription that lapsed', { subscriptionId: 'lapsed' }, false],
  ['of a subscription that was deleted', { subscriptionId: 'gone' }, false],
] as const)('returns the recipient of a domain: %s', async (_, domain, isAccepted) => {
  now = 60 * SECOND + DAY
  Object.assign(owners['own.example']!, domain)
  expect(await open().recipient('own.example')).toEqual(
    isAccepted ? { subscriptionId: 'ada', catchAll: null } : undefined,
  )
})

test('caches a result for some seconds, also for unknown domains', async () => {
  const { recipient } = open()
  for (const name of ['own.example', 'nobody.example']) {
    await Promise.all([recipient(name), recipient(name)])
    now += 5 * SECOND
    await recipient(name)
    expect(owner).toHaveBeenCalledTimes(1)
    now += 1
    await recipient(name)
    expect(owner).toHaveBeenCalledTimes(2)
    owner.mockClear()
  }
})

test('does not query the store for an invalid domain', async () => {
  for (const name of ['', 'localhost', 'a b.example', 'x'.repeat(300)])
    expect(await open().recipient(name)).toBeUndefined()
  expect(owner).not.toHaveBeenCalled()
})

test('queries the store again after forget, even during an earlier query', async () => {
  const { recipient, forget } = open()
  const slow = Promise.withResolvers<undefined>()
  owner.mockImplementationOnce(() => slow.promise)
  const old = recipient('own.example')
  forget('own.example')
  expect(await recipient('own.example')).toBeDefined()
  slow.resolve(undefined)
  expect(await old).toBeUndefined()
  expect(await recipient('own.example')).toBeDefined()
  expect(owner).toHaveBeenCalledTimes(2)
})

test('does not cache a failed query', async () => {
  const { recipient } = open()
  owner.mockImplementationOnce(async () => Promise.reject(new Error('away')))
  await expect(recipient('own.example')).rejects.toThrow('away')
  expect(await recipient('own.example')).toBeDefined()
})

test('limits the cache and drops the least recently used entries', async () => {
  const { recipient } = open()
  await recipient('own.example')
  for (let i = 0; i < 9999; i++) void recipient(`${i}.example`)
  await recipient('own.example')
  expect(owner).toHaveBeenCalledTimes(10_000)
  void recipient('one-more.example')
  await recipient('own.example')
  expect(owner).toHaveBeenCalledTimes(10_001)
  void recipient('0.example')
  expect(owner).toHaveBeenCalledTimes(10_002)
})
