import { describe, expect, test } from 'vitest'
import { Inboxes } from './inboxes.ts'

const MOST = 1000

const answerJson = (status: number, body: object): Response => Response.json(body, { status })

/**
 * The inboxes of a service that numbers its addresses. `live` has their secrets, `room` is how many there may be, `refusal` responds instead of deleting
 * one, and `creation` is waited for before one is created.
 */
function numbered() {
  const service = {
    live: new Set<string>(),
    creation: Promise.resolve(),
    refusal: undefined as (() => Response) | undefined,
    room: Infinity,
  }
  let count = 0
  const inboxes = new Inboxes({
    url: 'https://mayfly.example',
    async fetch(_url, { method, headers } = {}) {
      if (method === 'POST') {
        await service.creation
        if (service.live.size >= service.room) return full()
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

const problem = (status: number, code: string): Response =>
  answerJson(status, { type: 'about:blank', title: 'No', status, code })
const unauthorized = (): Response => problem(401, 'unauthorized')
const full = (): Response => problem(409, 'addresses_full')
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

describe('an inbox for which the service has no room', () => {
  test('replaces the oldest one that has not expired', async () => {
    const { service, inboxes } = numbered()
    service.room = 4
    const created: { id: string }[] = []
    for (let i = 0; i < 4; i++) created.push(await inboxes.create({}))
    service.live.delete('secret-1')
    service.live.add('of another program')
    const made = await Promise.all([inboxes.create({}), inboxes.create({})])
    expect([...service.live].toSorted()).toEqual(['of another program', 'secret-4', 'secret-5', 'secret-6'])
    for (const { id, address } of made) expect(inboxes.get(id).address).toBe(address)
    expect(inboxes.get(created[3]!.id).address).toBe('a4@mayfly.example')
    for (const { id } of created.slice(0, 3)) expect(() => inboxes.get(id)).toThrow('There is no inbox')
  })

  test('is refused if there is none to delete, or it can’t be deleted', async () => {
    const { service, inboxes } = numbered()
    service.room = 0
    await expect(inboxes.create({})).rejects.toMatchObject({ code: 'addresses_full' })
    service.room = 2
    const [first] = [await inboxes.create({}), await inboxes.create({})]
    service.refusal = unreachable
    await expect(inboxes.create({})).rejects.toMatchObject({ code: 'addresses_full' })
    expect(inboxes.get(first.id).address).toBe('a1@mayfly.example')
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
