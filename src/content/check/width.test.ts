import { expect, it } from 'vitest'
import { widthOf } from './width.ts'

it('counts graphemes, wide East Asian ones twice', () => {
  expect(widthOf('Mail')).toBe(4)
  expect(widthOf('邮箱')).toBe(4)
  expect(widthOf('메일、メール')).toBe(12)
  expect(widthOf('नमस्ते')).toBeLessThan('नमस्ते'.length)
})
