import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { idAfter, isMessageId, messageIds, timeOf } from './message-id.ts'

test('sorts ids by creation, even within a millisecond or when the clock goes back', () => {
  const times = [5, 5, 5, 1_800_000_000_000, 1_800_000_000_000, 1_700_000_000_000, 1_800_000_000_001]
  const next = messageIds(() => times.shift() ?? 1_900_000_000_000, randomBytes)
  const ids = Array.from({ length: 5000 }, next)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(5000)
  expect(ids.every(isMessageId)).toBe(true)
})

test.each([
  ['01kaaaaaaaaaaaaaaaaaaaaaaa', 0, '01kaaaaaaaaaaaaaaaaaaaaaab'],
  ['01kaaaaaaaaaaaaaaaaaaaaaz9', 0, '01kaaaaaaaaaaaaaaaaaaaaaza'],
  ['01kaaaaaaaaaaaaaaaaaaaayzz', 0, '01kaaaaaaaaaaaaaaaaaaaaz00'],
  ['01k00000000000000000000001', 1, '01k00000000000000011111113'],
  ['01k00000000000000zzzzzzzzz', 31, '01k000000000000010zzzzzzzz'],
])('returns the id after %s for a step of %i in each digit: %s', (id, step, next) => {
  const created = idAfter(id, (size) => new Uint8Array(size).fill(step))
  expect(created > id).toBe(true)
  expect(isMessageId(created)).toBe(true)
  expect(created).toBe(next)
})

test('returns different ids after the same id', () => {
  const id = messageIds(() => 7, randomBytes)()
  const created = Array.from({ length: 1000 }, () => idAfter(id, randomBytes))
  expect(new Set(created).size).toBe(1000)
  expect(created.every((each) => each > id)).toBe(true)
})

test.each([
  ['a clock that is ahead', 1_800_000_000_500, 0],
  ['a clock that is ahead, plus a distance', 1_800_000_000_500, 64],
  ['the past', 1_700_000_000_000, 8],
  ['the same moment', 1_800_000_000_000, 0],
])('sorts the next id after one of %s, and all following ids too', (_name, time, ahead) => {
  const after = messageIds(() => time, randomBytes)()
  const next = messageIds(() => 1_800_000_000_000, randomBytes)
  const ids = [next(), next({ after, ahead }), next(), next({ after, ahead }), next()]
  expect(ids.toSorted()).toEqual(ids)
  expect(ids.every(isMessageId)).toBe(true)
  expect(new Set(ids).size).toBe(5)
  expect(ids[1]! > after).toBe(true)
  expect(timeOf(ids[1]!)).toBe(Math.max(time + ahead, 1_800_000_000_000))
})

test.each([0, 1, 31, 32, 1_800_000_000_123, 2 ** 48 - 1])('encodes the creation time %i', (time) => {
  expect(timeOf(messageIds(() => time, randomBytes)())).toBe(time)
})

test('returns different ids from two generators', () => {
  const [one, other] = [messageIds(() => 7, randomBytes), messageIds(() => 7, randomBytes)]
  expect(one()).not.toBe(other())
})

test.each(['', 'x', '0'.repeat(25), '0'.repeat(27), `${'0'.repeat(25)}u`, `${'0'.repeat(25)}A`, `${'0'.repeat(25)}'`])(
  'rejects %j as an id',
  (value) => {
    expect(isMessageId(value)).toBe(false)
  },
)
