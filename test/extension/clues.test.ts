import { expect, test } from 'vitest'
import { isAbout, nameOf } from '../../packages/extension/src/state/clues.ts'

test.each([
  ['www.shop.co.uk', 'shop'],
  ['mail.shop.example', 'shop'],
  ['shop.com.br', 'shop'],
  ['x.com', 'x'],
  ['mail.ibm.com', 'ibm'],
  ['co.uk', 'co'],
  ['localhost', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '[::1]'],
])('the name in %s is %s', (host, name) => expect(nameOf(host)).toBe(name))

test('a name in the text is a word of its own', () => {
  const about = (subject: string) =>
    isAbout({ from: { name: '', address: '' }, subject, link: null }, 'https://shop.example')
  expect(about('Welcome to SHOP!')).toBe(true)
  expect(about('Welcome to the workshop')).toBe(false)
  const short = { from: { name: '', address: '' }, subject: 'x marks the spot', link: null }
  expect(isAbout(short, 'https://x.com')).toBe(false)
})
