import { beforeEach, expect, test, vi } from 'vitest'
import type { AddressJson } from '#contract/addresses.ts'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { getBars, setBars } from '../app/bars.ts'
import { takeElsewhere } from './use-inbox-elsewhere.ts'

const message = (id: string) => ({ id }) as MessageSummaryJson
const received = (id: string) => ({ type: 'message', message: message(id) }) as const
const at = (address: string) => ({ type: 'address', address: { address } as AddressJson }) as const
const live = { type: 'status', status: 'live' } as const
const ids = () => getBars().messages.map(({ id }) => id)

beforeEach(() => setBars({ messages: [], address: 'a@mayfly.test' }))

test('adds and removes messages of the address that a connection has named', () => {
  const load = vi.fn(() => setBars({ messages: [message('b'), message('a')] }))
  const take = takeElsewhere(load)
  for (const event of [live, at('a@mayfly.test'), received('c'), { type: 'deleted', id: 'a' } as const]) take(event)
  expect([ids(), getBars().address, load.mock.calls.length]).toEqual([['c', 'b'], 'a@mayfly.test', 1])
})

test('takes what was missed from the stream, because the list may not load', () => {
  const take = takeElsewhere(() => {})
  for (const event of [live, at('a@mayfly.test'), received('a'), received('b')]) take(event)
  const missed = [
    received('c'),
    received('d'),
    { type: 'deleted', id: 'a' } as const,
    { type: 'deleted', id: 'c' } as const,
  ]
  for (const event of [live, ...missed]) take(event)
  expect(ids()).toEqual(['b', 'a'])
  take(at('a@mayfly.test'))
  expect(ids()).toEqual(['d', 'b'])
})

test('drops what was missed on a connection that was lost before it named its address', () => {
  const take = takeElsewhere(() => {})
  for (const event of [live, received('a'), live, at('a@mayfly.test')]) take(event)
  expect(ids()).toEqual([])
})

test('never mixes two addresses if the stream reconnects with another one', () => {
  const load = vi.fn()
  const take = takeElsewhere(load)
  for (const event of [live, at('a@mayfly.test'), received('a')]) take(event)
  for (const event of [{ type: 'status', status: 'lost' } as const, live, received('b')]) {
    take(event)
    expect(ids()).toEqual(['a'])
  }
  take(at('b@mayfly.test'))
  expect([ids(), getBars().address]).toEqual([[], 'b@mayfly.test'])
  // Once for each connection, and again for the other address.
  expect(load).toHaveBeenCalledTimes(3)
  take(received('c'))
  expect(ids()).toEqual(['c'])
})
