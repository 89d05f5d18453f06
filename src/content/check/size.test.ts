import { expect, it } from 'vitest'
import { checkWeight } from './size.ts'

it('weighs what is sent', () => {
  const messages = { a: 'A text', b: '{n, plural, one {#} other {#}} texts' }
  expect(checkWeight(messages)).toEqual([])
  expect(checkWeight(messages, 20)).toEqual([expect.stringMatching(/^weigh \d+ bytes, more than 20$/)])
})
