import { expect, it } from 'vitest'
import { checkWeight } from './size.ts'

it('finds messages that are too large when compressed', () => {
  const messages = {
    'account.title': 'Account',
    'mail.subject': 'Nobody’s',
    a: 'A text',
    b: '{n, plural, one {#} other {#}} texts',
  }
  expect(checkWeight(messages)).toEqual([])
  expect(checkWeight(messages, 20)).toEqual([
    expect.stringMatching(/^of site weigh \d+ bytes, more than 20$/),
    expect.stringMatching(/^of account weigh \d+ bytes, more than 20$/),
  ])
})
