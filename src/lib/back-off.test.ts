import { expect, test } from 'vitest'
import { waitAfter } from './back-off.ts'

const BACK_OFF = { first: 100, longest: 1000 }

test.each([
  [0, 100],
  [1, 200],
  [3, 800],
  [4, 1000],
  [50, 1000],
])('waits %i failures later for %i ms', (attempts, wait) => expect(waitAfter(attempts, BACK_OFF, () => 0)).toBe(wait))

test('cuts up to half of the wait, and returns whole milliseconds', () => {
  expect(waitAfter(0, BACK_OFF, () => 0.999)).toBe(50)
  expect(waitAfter(0, BACK_OFF, () => 0.333)).toBe(83)
})
