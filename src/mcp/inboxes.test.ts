import { describe, expect, test } from 'vitest'
import { Inboxes } from './inboxes.ts'

const MOST = 1000

const answerJson = (status: number, body: object): Response => Response.json(body, { status })

/**
 * The inboxes of a service that numbers its addresses. `live` has their secrets, `refusal` responds instead of deleting
 * one, and `creation` is waited for before one is created.
 */
function numbered() {
  const service = {
    live: new Set<string>(),
    creation: Promise.resolve(),
    refusal: undefined as (() => Response) | undefined,
  }
  let count = 0
  const inboxes = new Inboxes({
    url: 'https://mayfly.example',
    async fetch(_url, { method, headers } = {}) {
      if (method === 'POST') {
        await service.creation
        const secret = `secret-${++count}`
        service.live.add(secret)
        return answerJson(201, { address: `a${count}@mayfly.example`, secret, expiresAt: '2030-01-01T00:00:00.000Z' })
      }
      if (service.refusal) return service.refusal()
      const secret = new Headers(headers).get('authorization')!.replace('Bearer ', '')
      return service.live.delete(secret) ? new Response(null, { status: 204 }) : unauthorized()
    },
  })
  return { service, inboxes }
}

const unauthorized = (): Response =>
  answerJson(401, { type: 'about:blank', title: 'No', status: 401, code: 'unauthorized' })
function unreachable(): never {
  throw new TypeError('fetch failed')
}

async function createMost(inboxes: Inboxes): Promise<{ id: string }[]> {
  const created = []
  for (let i = 0; i < MOST; i++) created.push(await inboxes.create({}))
  return created
}

describe('one more than the most', () => {
  test('replaces the oldest one, which is deleted', async () => {
    const { service, inboxes } = numbered()
    const [oldest, second] = await createMost(inboxes)
    expect([service.live.size, inboxes.get(oldest!.id).address]).toEqual([MOST, 'a1@mayfly.example'])
    const { id, address } = await inboxes.create({})
    expect(inboxes.get(id).address).toBe(address)
    expect(inboxes.get(second!.id).address).toBe('a2@mayfly.example')
    expect(() => inboxes.get(oldest!.id)).toThrow('There is no inbox')
    expect([service.live.size, service.live.has('secret-1')]).toEqual([MOST, false])
  })

  test.each([
    ['has expired', unauthorized],
    ['cannot be deleted', unreachable],
  ])('replaces the oldest one even if that %s', async (_, refusal) => {
    const { service, inboxes } = numbered()
    const [oldest] = await createMost(inboxes)
    service.refusal = refusal
    const { id, address } = await inboxes.create({})
    expect(inboxes.get(id).address).toBe(address)
    expect(() => inboxes.get(oldest!.id)).toThrow('There is no inbox')
  })
})

test('an inbox that could not be deleted is still there, and is deleted at the end', async () => {
  const { service, inboxes } = numbered()
  const { id, address } = await inboxes.create({})
  service.refusal = unreachable
  await expect(inboxes.delete(id)).rejects.toThrow('No service responds')
  expect(inboxes.get(id).address).toBe(address)
  service.refusal = undefined
  await inboxes.deleteAll()
  expect(service.live.size).toBe(0)
})

test('an inbox that is deleted is no longer there', async () => {
  const { inboxes } = numbered()
  const { id, address } = await inboxes.create({})
  expect(await inboxes.delete(id)).toBe(address)
  expect(() => inboxes.get(id)).toThrow('There is no inbox')
})

test('an inbox that is being created at the end is deleted, and none is created afterwards', async () => {
  const { service, inboxes } = numbered()
  const { promise, resolve } = Promise.withResolvers<void>()
  service.creation = promise
  const creating = inboxes.create({})
  const deleted = inboxes.deleteAll()
  resolve()
  await Promise.all([creating, deleted])
  expect(service.live.size).toBe(0)
  await expect(inboxes.create({})).rejects.toThrow('This server is ending')
})
