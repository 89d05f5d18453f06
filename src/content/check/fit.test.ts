import { expect, it } from 'vitest'
import { checkFit } from './fit.ts'

it('keeps the buttons under the address narrow', () => {
  expect(checkFit('address.copy', 'a'.repeat(13), 'Copy')).toEqual([])
  expect(checkFit('address.copy', 'a'.repeat(14), 'Copy')).toEqual([
    `is 14 columns long, more than 13: ${'a'.repeat(14)}`,
  ])
})

it('gives buttons less room than labels', () => {
  expect(checkFit('form.send', 'a'.repeat(14), 'Send')).toHaveLength(1)
  expect(checkFit('message.from', 'a'.repeat(14), 'From')).toEqual([])
  expect(checkFit('message.from', 'a'.repeat(21), 'From')).toHaveLength(1)
  expect(checkFit('message.views', 'a'.repeat(26), 'a'.repeat(10))).toEqual([])
  expect(checkFit('message.views', 'a'.repeat(27), 'a'.repeat(10))).toHaveLength(1)
})

it('allows sentences to be longer', () => {
  const source = 'a'.repeat(20)
  expect(checkFit('delete.text', 'a'.repeat(44), source)).toEqual([])
  expect(checkFit('delete.text', 'a'.repeat(45), source)).toHaveLength(1)
})
