import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { enterOrThrow } from './held.ts'
import { OpenCounts } from './limits.ts'

const PER_CLIENT = 20
const reply = { header: () => reply } as unknown as FastifyReply

/** `key`: the id of the API key of a request. */
function openPlaces(maxTotal = 10_000, isExempt = () => false) {
  const streams = new OpenCounts(PER_CLIENT, maxTotal, isExempt)
  const keys = { holder: ({ headers }: FastifyRequest) => headers.key && { keyId: headers.key } }
  const context = { streams, keys } as unknown as Parameters<typeof enterOrThrow>[0]
  const enter = (ip: string, key?: string) =>
    enterOrThrow(context, { ip, headers: key === undefined ? {} : { key } } as unknown as FastifyRequest, reply)
  /** Takes places until there is none. Returns how many it got. */
  const fill = (ip: string, key?: string): number => {
    for (let held = 0; ; held++)
      try {
        enter(ip, key)
      } catch (error) {
        expect(error).toMatchObject({ code: 'too_many_requests' })
        return held
      }
  }
  return { streams, enter, fill }
}

test('a key holds ten times as many places as an IP address, from whatever addresses', () => {
  const { fill, enter } = openPlaces()
  const leave = enter('192.0.2.1', 'key')
  for (let i = 1; i < 10 * PER_CLIENT; i++) enter(`192.0.2.${i}`, 'key')
  expect(fill('192.0.2.1', 'key')).toBe(0)
  leave()
  expect(fill('192.0.2.1', 'key')).toBe(1)
})

test('places of a key, of other keys and of its IP address do not count against each other', () => {
  const { fill } = openPlaces()
  expect(fill('192.0.2.1')).toBe(PER_CLIENT)
  expect(fill('192.0.2.1', 'key')).toBe(10 * PER_CLIENT)
  expect(fill('192.0.2.1', 'other')).toBe(10 * PER_CLIENT)
})

test('keys count in the total, and clients without a limit of their own too', () => {
  const { streams, fill } = openPlaces(50)
  expect(fill('192.0.2.1')).toBe(PER_CLIENT)
  expect(fill('192.0.2.1', 'key')).toBe(50 - PER_CLIENT)
  const local = openPlaces(300, () => true)
  expect([local.fill('127.0.0.1', 'key'), local.streams.total, streams.total]).toEqual([300, 300, 50])
})
