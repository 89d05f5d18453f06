import { describe, expect, test } from 'vitest'
import { standingsOf } from './forwarding-rules.ts'
import type { ForwardingRow } from './forwarding.ts'

const NOW = 1000
const DESTINATION_LIMITS = { free: 1, subscription: 3 }
const row = (change: Partial<ForwardingRow>): ForwardingRow => ({
  id: 'id',
  addressId: 'address',
  destinationKey: 'key',
  sealedDestination: new Uint8Array(),
  language: 'en',
  state: 'on',
  end: null,
  createdAt: 0,
  confirmedAt: 1,
  endsAt: NOW + 1,
  bounces: 0,
  ...change,
})
const standing = (change: Partial<ForwardingRow>, lifetime: 'day' | 'subscription' = 'day') =>
  standingsOf([row(change)], { lifetime }, DESTINATION_LIMITS, NOW)[0]
const waiting = { state: 'waiting', confirmedAt: null } as const
const expired = (endsAt: number) => ({ state: 'ended', end: 'expired', endsAt })

describe('the clock', () => {
  test.each([
    ['waits a moment before its end', { ...waiting }, { state: 'waiting', end: null, endsAt: NOW + 1 }],
    ['is unconfirmed at its end', { ...waiting, endsAt: NOW }, { state: 'ended', end: 'unconfirmed', endsAt: NOW }],
    ['is on a moment before its end', {}, { state: 'on', end: null, endsAt: NOW + 1 }],
    ['is over at its end', { endsAt: NOW }, expired(NOW)],
    ['is over, paused or not', { state: 'paused', endsAt: NOW - 1 } as const, expired(NOW - 1)],
    [
      'stays what it ended as',
      { state: 'ended', end: 'bounced', endsAt: NOW - 1 } as const,
      { state: 'ended', end: 'bounced', endsAt: NOW - 1 },
    ],
  ])('%s', (_what, change, expected) => expect(standing(change)).toEqual(expected))

  test('does not count for a subscription, but for links', () => {
    expect(standing({ endsAt: 1 }, 'subscription')).toEqual({ state: 'on', end: null, endsAt: null })
    expect(standing({ endsAt: 1, state: 'paused' }, 'subscription')).toMatchObject({ state: 'paused', endsAt: null })
    expect(standing({ ...waiting, endsAt: NOW }, 'subscription')).toMatchObject({ end: 'unconfirmed' })
  })

  test('of an address for ten minutes is that of the address, where it ends before', () => {
    const until = (expiresAt: number) =>
      standingsOf([row({ endsAt: 2000 })], { lifetime: 'ten-minutes', expiresAt }, DESTINATION_LIMITS, NOW)[0]?.endsAt
    expect(until(1500)).toBe(1500)
    expect(until(2500)).toBe(2000)
  })
})

describe('the plan', () => {
  const rows = [3, 1, 2].map((confirmedAt) => row({ id: `${confirmedAt}`, confirmedAt, endsAt: NOW + confirmedAt }))
  const ends = (all: ForwardingRow[], lifetime: 'day' | 'subscription') =>
    standingsOf(all, { lifetime }, DESTINATION_LIMITS, NOW).map(({ end }) => end)

  test('leaves the places to those that agreed first', () => {
    expect(ends(rows, 'subscription')).toEqual([null, null, null])
    expect(ends(rows, 'day')).toEqual(['expired', null, 'expired'])
    expect(ends([...rows, row({ confirmedAt: 0 })], 'subscription')).toEqual(['expired', null, null, null])
  })

  test('counts what is paused, but not what waits or has ended', () => {
    const paused = row({ state: 'paused', confirmedAt: 0 })
    expect(ends([...rows, paused], 'day')).toEqual(['expired', 'expired', 'expired', null])
    const others = [row({ ...waiting }), row({ state: 'ended', end: 'stopped', confirmedAt: 0 })]
    expect(ends([...rows, ...others], 'day')).toEqual(['expired', null, 'expired', null, 'stopped'])
    expect(ends([...rows, row({ confirmedAt: 0, endsAt: NOW })], 'day')).toEqual([
      'expired',
      null,
      'expired',
      'expired',
    ])
  })
})
