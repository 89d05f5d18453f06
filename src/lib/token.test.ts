import { expect, test } from 'vitest'
import { randomId } from './token.ts'

test('a random id can be an argument of a command: it looks like no option', () => {
  const ids = Array.from({ length: 2000 }, randomId)
  expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})
