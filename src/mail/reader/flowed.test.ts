import { expect, test } from 'vitest'
import { mail } from '#test/fixtures/mail/build.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

const FLOWED = 'Content-Type: text/plain; format=flowed'

async function read(type: string, body: string): Promise<string | undefined> {
  return (await parseMail(mail([type], body), defaultParseLimits)).text
}

test.each([
  ['A long line that is \r\nflowed.', 'A long line that is flowed.\n'],
  ['> quoted that \r\n> goes on', '> quoted that goes on\n'],
  ['>> deeper \r\n> back', '>> deeper \n> back\n'],
  ['> quoted \r\nanswer', '> quoted \nanswer\n'],
  ['>>> a \r\n>>>b', '>>> a b\n'],
  ['one \r\n-- \r\nsig \r\nmore', 'one \n-- \nsig more\n'],
  ['> one \r\n> -- \r\n> sig', '> one \n> -- \n> sig\n'],
  [' From stuffed\r\n  two\r\n >no quote\r\n>\r\n> a', 'From stuffed\n two\n>no quote\n>\n> a\n'],
  ['a\r\n\r\n\r\nb\r\n\r\n', 'a\n\n\nb\n\n'],
  ['ends \r\n', 'ends '],
  ['', undefined],
])('format=flowed joins lines of one depth: %j', async (body, text) => {
  expect(await read(FLOWED, body)).toBe(text)
})

test('format=flowed with delsp removes the space at the end of a line', async () => {
  expect(await read(`${FLOWED}; delsp=yes`, '\u4F60 \r\n\u597D \r\n')).toBe('\u4F60\u597D')
})
