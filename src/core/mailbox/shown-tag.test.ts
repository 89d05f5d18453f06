import { expect, test } from 'vitest'
import { shownTag } from './shown-tag.ts'

test('tells addresses apart, and many have the same checksum', () => {
  const tags = Array.from({ length: 100_000 }, (_, i) => shownTag(`fred${i}@mayfly.test`))
  expect(tags.every((tag) => Number.isInteger(tag) && tag >= 0 && tag < 2 ** 16)).toBe(true)
  expect(new Set(tags).size).toBeGreaterThan(40_000)
  expect(shownTag('fred@a.mayfly.test')).not.toBe(shownTag('fred@b.mayfly.test'))
})
