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

describe('the time', () => {
  test.each([
    ['is waiting a moment before its link expires', { ...waiting }, { state: 'waiting', end: null, endsAt: NOW + 1 }],
    [
      'is unconfirmed when its link expires',
      { ...waiting, endsAt: NOW },
      { state: 'ended', end: 'unconfirmed', endsAt: NOW },
    ],
    ['is on a moment before it expires', {}, { state: 'on', end: null, endsAt: NOW + 1 }],
    ['is expired at its expiry time', { endsAt: NOW }, expired(NOW)],
    ['is expired even if it is paused', { state: 'paused', endsAt: NOW - 1 } as const, expired(NOW - 1)],
    [
      'keeps the reason for which it ended',
      { state: 'ended', end: 'bounced', endsAt: NOW - 1 } as const,
      { state: 'ended', end: 'bounced', endsAt: NOW - 1 },
    ],
  ])('%s', (_what, change, expected) => expect(standing(change)).toEqual(expected))

  test('ends no forwarding of a subscription, only confirmation links', () => {
    expect(standing({ endsAt: 1 }, 'subscription')).toEqual({ state: 'on', end: null, endsAt: null })
    expect(standing({ endsAt: 1, state: 'paused' }, 'subscription')).toMatchObject({ state: 'paused', endsAt: null })
    expect(standing({ ...waiting, endsAt: NOW }, 'subscription')).toMatchObject({ end: 'unconfirmed' })
  })

  test('ends a forwarding of a ten-minute address with the address', () => {
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

  test('keeps the destinations that consented first', () => {
    expect(ends(rows, 'subscription')).toEqual([null, null, null])
    expect(ends(rows, 'day')).toEqual(['expired', null, 'expired'])
    expect(ends([...rows, row({ confirmedAt: 0 })], 'subscription')).toEqual(['expired', null, null, null])
  })

  test('counts paused forwardings, but not waiting or ended ones', () => {
    const paused = row({ state: 'paused', confirmedAt: 0 })
    expect(ends([...rows, paused], 'day')).toEqual(['expired', 'expired', 'expired', null])
    const notCounted = [row({ ...waiting }), row({ state: 'ended', end: 'stopped', confirmedAt: 0 })]
    expect(ends([...rows, ...notCounted], 'day')).toEqual(['expired', null, 'expired', null, 'stopped'])
    expect(ends([...rows, row({ confirmedAt: 0, endsAt: NOW })], 'day')).toEqual([
      'expired',
      null,
      'expired',
      'expired',
    ])
  })
})
