import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { createBuckets, perSecond, type RateLimit, type Rates } from '../limits/rates.ts'
import { createKeyAuth } from './key-auth.ts'

const WRONG_PER_SECOND = 8
const reply = { headers: () => reply, header: () => reply } as unknown as FastifyReply

/** Clients of one IP address. `running`: the look-ups of wrong keys in the store. */
function openKeys() {
  const looked = { most: 0, count: 0 }
  let running = 0
  let works = true
  const apiKeys = {
    knows: (token: string) => token === 'known',
    async find(token: string) {
      looked.most = Math.max(looked.most, ++running)
      looked.count++
      await new Promise(setImmediate)
      running--
      if (!works) throw new MayflyError('store_unavailable')
      if (token.startsWith('wrong')) throw new MayflyError('key_invalid')
      return { keyId: token, tokenHash: token, subscription: {} }
    },
    validUntil: async () => 0,
  }
  const rates = { keys: perSecond(50), wrongKeys: perSecond(WRONG_PER_SECOND) } as Rates<RateLimit>
  const auth = createKeyAuth(
    apiKeys as never,
    createBuckets(rates, () => false),
  )
  const ask = (token?: string, ip = '192.0.2.1'): Promise<string> =>
    auth
      .limit({ headers: token === undefined ? {} : { 'x-api-key': token }, ip } as unknown as FastifyRequest, reply)
      .then(
        (isKey) => (isKey ? 'fine' : 'no key'),
        ({ code }: { code: string }) => code,
      )
  const guess = (count: number, ip?: string) => Array.from({ length: count }, (_, i) => ask(`wrong ${i}`, ip))
  return { ask, guess, looked, fail: () => void (works = false) }
}

test('valid keys, known or not, work beside wrong ones of the same IP address', async () => {
  const { ask, guess } = openKeys()
  const guesses = guess(100)
  const valid = Array.from({ length: 30 }, (_, i) => ask(i % 2 === 0 ? 'known' : `new ${i}`))
  expect(new Set(await Promise.all(valid))).toEqual(new Set(['fine']))
  const codes = await Promise.all(guesses)
  expect(codes.slice(0, WRONG_PER_SECOND)).toEqual(Array(WRONG_PER_SECOND).fill('key_invalid'))
  expect(codes.at(-1)).toBe('too_many_requests')
  expect(await Promise.all([ask('new'), ask('known'), ask()])).toEqual(['fine', 'fine', 'no key'])
})

test('any number of valid keys behind one IP address can be new', async () => {
  const { ask } = openKeys()
  const codes = await Promise.all(Array.from({ length: 10 * WRONG_PER_SECOND }, (_, i) => ask(`new ${i}`)))
  expect(new Set(codes)).toEqual(new Set(['fine']))
})

test('keys of one network are looked up one after the other, and a flood of them is refused', async () => {
  const { guess, looked } = openKeys()
  const codes = await Promise.all([...guess(1100), ...guess(1, '192.0.2.2')])
  expect(looked).toEqual({ most: 2, count: 1002 })
  expect(codes.at(-1)).toBe('key_invalid')
})

test('a fault of the store does not count as a wrong key', async () => {
  const { ask, guess, fail } = openKeys()
  fail()
  const codes = await Promise.all([...guess(2 * WRONG_PER_SECOND), ask('known')])
  expect(new Set(codes)).toEqual(new Set(['store_unavailable']))
})
