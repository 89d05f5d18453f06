import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#core/time.ts'
import { decodeEarlier, EARLIER_MAX, encodeEarlier, KEPT_FOR } from './earlier-addresses.ts'

const NOW = 1_800_000_000_000
const entry = (i: number, usedAt = NOW) => ({
  address: `amber.otter.moon${i}@mayfly.test`,
  secret: 'A'.repeat(43),
  usedAt,
})

test('a list survives the cookie', () => {
  const list = [entry(1), entry(2, NOW - DAY)]
  expect(decodeEarlier(encodeEarlier(list), NOW)).toEqual(list)
})

test('an entry is forgotten 30 days after its last use', () => {
  const value = encodeEarlier([entry(1, NOW - KEPT_FOR + MINUTE), entry(2, NOW - KEPT_FOR)])
  expect(decodeEarlier(value, NOW).map(({ address }) => address)).toEqual([entry(1).address])
})

test.each(['', '!!', 'x~y~z', `${'A'.repeat(42)}~abc~a@b`, `${'A'.repeat(43)}~~a@b`])('ignores %s', (value) =>
  expect(decodeEarlier(value, NOW)).toEqual([]),
)

test('the longest list of ordinary addresses fits into one cookie', () => {
  const list = Array.from({ length: EARLIER_MAX }, (_, i) => entry(i))
  expect(encodeURIComponent(encodeEarlier(list)).length).toBeLessThan(3600)
})
