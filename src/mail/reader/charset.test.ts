import { afterAll, expect, test } from 'vitest'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { charsetOf } from './charset.ts'
import { createReader } from './reader.ts'

const reader = createReader({ timeout: 3000, authenticationTimeout: 500 })
afterAll(() => reader.close())

const mail = (headers: string[], body: string): Buffer => Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`)

/** The charset labels of Node's TextDecoder that a message may name, each with a text and its bytes. */
const CHARSETS: [string, string, number[]][] = [
  ['iso-8859-2', 'ł', [0xb3]],
  ['iso-8859-5', 'Я', [0xcf]],
  ['iso-8859-7', 'λ', [0xeb]],
  ['iso-8859-8', 'א', [0xe0]],
  ['iso-8859-9', 'ş', [0xfe]],
  ['iso-8859-15', '€', [0xa4]],
  ['windows-1250', 'ł', [0xb3]],
  ['windows-1251', 'Я', [0xdf]],
  ['windows-1252', '€', [0x80]],
  ['windows-1253', 'λ', [0xeb]],
  ['windows-1254', 'ş', [0xfe]],
  ['windows-1255', 'א', [0xe0]],
  ['windows-1256', 'س', [0xd3]],
  ['windows-1257', 'ž', [0xfe]],
  ['windows-1258', 'ơ', [0xf5]],
  ['koi8-r', 'Я', [0xf1]],
  ['koi8-u', 'ї', [0xa7]],
  ['ibm866', 'Я', [0x9f]],
  ['macintosh', 'é', [0x8e]],
  ['gbk', '你', [0xc4, 0xe3]],
  ['gb18030', '你', [0xc4, 0xe3]],
  ['big5', '你', [0xa7, 0x41]],
  ['big5', '嘅', [0x9d, 0xef]],
  ['shift_jis', 'あ', [0x82, 0xa0]],
  ['euc-jp', 'あ', [0xa4, 0xa2]],
  ['euc-kr', '안', [0xbe, 0xc8]],
  ['ks_c_5601-1987', '똠', [0x8c, 0x63]],
  ['cp949', '똠', [0x8c, 0x63]],
  ['utf-16le', 'é', [0xe9, 0x00]],
  ['windows-874', 'ก', [0xa1]],
  ['tis-620', 'ก', [0xa1]],
]

test.each(CHARSETS)('content decodes text in %s', async (charset, text, bytes) => {
  const { text: found } = await reader.content(
    mail(
      [`Content-Type: text/plain; charset=${charset}`, 'Content-Transfer-Encoding: base64'],
      Buffer.from(bytes).toString('base64'),
    ),
  )
  expect(found?.trim()).toBe(text)
})

test('headers have the characters that Node lacks in Korean and in Chinese', async () => {
  const word = (charset: string, ...bytes: number[]) => `=?${charset}?B?${Buffer.from(bytes).toString('base64')}?=`
  const raw = mail(
    [
      `From: ${word('big5', 0x9d, 0xef)} <a@b.example>`,
      `Subject: ${word('euc-kr', 0x8c, 0x63)}`,
      `Content-Disposition: attachment; filename*=euc-kr''%8Cc.txt`,
    ],
    'x',
  )
  const { from, subject } = await reader.summarize(raw, ENVELOPE)
  const attachment = await reader.attachment(raw, 0)
  expect([from.name, subject, attachment?.filename]).toEqual(['嘅', '똠', '똠.txt'])
})

test.each([
  ['utf-7', 'Hi Mom +Jjo--+ACE- 1 +- 1', 'Hi Mom ☺-! 1 + 1'],
  ['unicode-1-1-utf-7', '+T2BZfQ-', '你好'],
  ['UTF-7', 'A+ImIDkQ.', 'A≢Α.'],
  ['utf-7', 'open +T2BZfQ', 'open 你好'],
  ['utf-7', 'broken +A', 'broken '],
])('content decodes text in %s: %s', async (charset, body, text) => {
  const raw = mail([`Content-Type: text/plain; charset=${charset}`], body)
  expect((await reader.content(raw)).text?.trimEnd()).toBe(text.trimEnd())
})

test('finds no charset in a hundred parts of spaces in linear time', () => {
  const part = new Uint8Array([...Buffer.from(`<meta charset=${' '.repeat(4000)}"`), 0xe9])
  const read = (): void => {
    for (let i = 0; i < 100; i++) expect(charsetOf(undefined, part)).toBe('windows-1252')
  }
  expect(cpuTime(read)).toBeLessThan(500)
})
