import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { idAfter, isMessageId, messageIds } from './message-id.ts'

test('ids sort by time of arrival, within a millisecond and when the clock goes back', () => {
  const times = [5, 5, 5, 1_800_000_000_000, 1_800_000_000_000, 1_700_000_000_000, 1_800_000_000_001]
  const next = messageIds(() => times.shift() ?? 1_900_000_000_000, randomBytes)
  const ids = Array.from({ length: 5000 }, next)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(5000)
  expect(ids.every(isMessageId)).toBe(true)
})

test.each([
  ['01kaaaaaaaaaaaaaaaaaaaaaaa', '01kaaaaaaaaaaaaaaaaaaaaaab'],
  ['01kaaaaaaaaaaaaaaaaaaaaaz9', '01kaaaaaaaaaaaaaaaaaaaaaza'],
  ['01kaaaaaaaaaaaaaaaaaaaayzz', '01kaaaaaaaaaaaaaaaaaaaaz00'],
])('behind %s comes %s', (id, next) => {
  expect(idAfter(id)).toBe(next)
  expect(next > id).toBe(true)
})

test('two makers do not meet', () => {
  const [one, other] = [messageIds(() => 7, randomBytes), messageIds(() => 7, randomBytes)]
  expect(one()).not.toBe(other())
})

test.each(['', 'x', '0'.repeat(25), '0'.repeat(27), `${'0'.repeat(25)}u`, `${'0'.repeat(25)}A`, `${'0'.repeat(25)}'`])(
  '%j is no id',
  (value) => {
    expect(isMessageId(value)).toBe(false)
  },
)
