import { expect, test } from 'vitest'
import { fromUtf8 } from '../bytes.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'
import { unsubscribeOf } from './unsubscribe.ts'

const SIGNATURE = 'DKIM-Signature: v=1; d=a.example; h=From: List-Unsubscribe:\r\n List-Unsubscribe-Post; b=x'
const POST = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'
const LIST = 'List-Unsubscribe: <mailto:u@a.example>, <https://a.example/u?x=1>'
const read = async (...headers: string[]) =>
  unsubscribeOf(await parseMail(fromUtf8(`${headers.join('\r\n')}\r\nSubject: x\r\n\r\ntext`), defaultParseLimits))

const found = { url: 'https://a.example/u?x=1', host: 'a.example' }

test('one click needs https, the second header, and one signature over both', async () => {
  expect(await read(SIGNATURE, LIST, POST)).toEqual({ ...found, oneClick: true })
  expect(await read(LIST, POST)).toEqual({ ...found, oneClick: false })
  expect(await read(SIGNATURE, LIST)).toEqual({ ...found, oneClick: false })
  expect(await read(SIGNATURE.replace('List-Unsubscribe-Post', 'To'), LIST, POST)).toEqual({
    ...found,
    oneClick: false,
  })
  expect((await read(SIGNATURE, LIST.replace('https', 'http'), POST))?.oneClick).toBe(false)
})

test('a second header, which the signature may not cover, prevents one click', async () =>
  expect((await read(SIGNATURE, LIST, 'List-Unsubscribe: <https://evil.example/>', POST))?.oneClick).toBe(false))

test.each(['List-Unsubscribe: <mailto:u@a.example>', 'List-Unsubscribe: <javascript:alert(1)>', 'X-Other: 1'])(
  '%s offers nothing',
  async (header) => expect(await read(header)).toBeNull(),
)
