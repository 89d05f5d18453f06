import { expect, test } from 'vitest'
import { randomId } from './token.ts'

test('makes ids that a command cannot mistake for an option', () => {
  const ids = Array.from({ length: 2000 }, randomId)
  expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})
