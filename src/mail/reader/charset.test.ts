import { afterAll, expect, test } from 'vitest'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { decodeText, metaCharset } from './charset.ts'
import { firstLook } from './first-look.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'
import { createReader } from './reader.ts'
import { summarize } from './summarize.ts'
import { useStandardDecoders } from './text-decoder.ts'

useStandardDecoders()
const reader = createReader({ timeout: 3000, authenticationTimeout: 500 })
afterAll(() => reader.close())

const mail = (headers: string[], body: string): Buffer => Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`)

/** Bytes of a text in a charset: each character is searched in the table of the decoder. */
function encoded(charset: string, text: string): Uint8Array {
  if (charset === 'utf-8') return new Uint8Array(Buffer.from(text))
  if (charset === 'utf-16le') return new Uint8Array(Buffer.from(text, 'utf16le'))
  const decoder = new TextDecoder(charset, { fatal: true })
  const decoded = (bytes: number[]): string | undefined => {
    try {
      return decoder.decode(new Uint8Array(bytes))
    } catch {
      return undefined
    }
  }
  const found = new Map<string, number[]>()
  for (let first = 0; first < 256; first++) {
    found.set(decoded([first]) ?? '', [first])
    for (let second = 0x40; first > 127 && second < 256; second++) {
      const character = decoded([first, second])
      if (character && !found.has(character)) found.set(character, [first, second])
    }
  }
  if (charset === 'gb18030') found.set('🎉', [0x94, 0x39, 0xbd, 0x35])
  return new Uint8Array(Array.from(text, (character) => found.get(character) ?? []).flat())
}

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
    for (let i = 0; i < 100; i++) expect(metaCharset(part)).toBeUndefined()
  }
  expect(cpuTime(read)).toBeLessThan(500)
})

const bytesOf = (text: string, ...more: number[]): Uint8Array => new Uint8Array([...Buffer.from(text), ...more])
const ascii = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const GBK = [0xd6, 0xd0, 0xce, 0xc4]

test.each([
  undefined,
  'iso-8859-1',
  'us-ascii',
  'windows-1252',
  'unknown-8bit',
  'default',
  'utf-8',
  'utf-16',
  'unicode',
])('UTF-8 with a wrong byte stays UTF-8 if %s is declared', (declared) => {
  expect(decodeText(bytesOf('Grüße ✓', 0xe2, 0x82, 0x20), { declared })).toBe('Grüße ✓\uFFFD ')
  expect(decodeText(new Uint8Array([...bytesOf('Grüße – code 123'), 0xa0, ...bytesOf('456 ✓')]), { declared })).toBe(
    'Grüße – code 123\uFFFD456 ✓',
  )
})

test.each([
  ['Réf', [0xc3], 'Réf\uFFFD'],
  ['Café ', [0xe2, 0x80], 'Café \uFFFD'],
  ['日', [0xe6, 0x9c], '日\uFFFD'],
  ['Café - it', [0x92, 0x73], 'Café - it\uFFFDs'],
  ['Café', [0xc3, 0x0d, 0x0a], 'Café\uFFFD\r\n'],
  ['Caf', [0xe9], 'Café'],
  ['Gr', [0xfc, 0xdf, 0x65], 'Grüße'],
])('a short text %s that UTF-8 is declared for may have a wrong character', (text, more, expected) =>
  expect(decodeText(bytesOf(text, ...more), { declared: 'utf-8' })).toBe(expected),
)

test('Latin 1 that has a sequence of UTF-8 by chance is read as such', () =>
  expect(decodeText(ascii('\xabCAF\xc9\xbb'), { declared: 'iso-8859-1' })).toBe('«CAFÉ»'))

test('colours of a terminal are no Japanese', () =>
  expect(decodeText(ascii('\x1b[31mred\x1b(B\x1b[m'), { declared: 'us-ascii' })).toBe('\x1b[31mred\x1b(B\x1b[m'))

test.each([
  ['hz-gb-2312', '~{VPND~} hello '],
  ['iso-2022-kr', '\x0e>H3g\x0f hello '],
])('a long text in %s is read in linear time', (declared, text) => {
  const bytes = ascii(text.repeat(500_000))
  expect(cpuTime(() => decodeText(bytes, { declared }))).toBeLessThan(1500)
})

test.each([undefined, 'iso-8859-1', 'us-ascii', 'utf-8', 'utf8', 'binary'])(
  'Latin 1 is read as such if %s is declared',
  (declared) => expect(decodeText(ascii('Märzé, 5\xa0€'.replace('€', '\x80')), { declared })).toBe('Märzé, 5\xa0€'),
)

test.each([["'gb2312'"], ['"gb2312'], ['charset=gb2312'], ['GB2312'], ['cp936'], ['x-gbk'], ['windows-936']])(
  'reads the label %s',
  (declared) => expect(decodeText(new Uint8Array(GBK), { declared })).toBe('中文'),
)

test.each([undefined, '', 'unknown-8bit', 'us-ascii', 'default', 'binary', 'utf-8', 'x-unknown'])(
  'what else suggests a charset counts if %s is declared',
  (declared) => {
    const read = (...hints: (string | undefined)[]): string =>
      decodeText(new Uint8Array(GBK), { declared, hints: () => hints })
    expect(read(undefined, 'nonsense', 'gb2312')).toBe('中文')
    expect(read('utf-16', 'utf-7', 'iso-2022-jp', 'gbk')).toBe('中文')
    expect(decodeText(bytesOf('中文'), { declared, hints: () => ['gb2312'] })).toBe('中文')
  },
)

test.each([
  ['utf-16', 'Your code is 123456', 'Your code is 123456'],
  ['unicode', 'Dein Code für Zoë', 'Dein Code für Zoë'],
  ['ucs-2', 'x', 'x'],
])('does not read text in UTF-8 as %s', (declared, text, expected) =>
  expect(decodeText(bytesOf(text), { declared })).toBe(expected),
)

test.each([
  ['utf-16', Buffer.from('März 中文', 'utf16le')],
  ['utf-16be', Buffer.from('März 中文', 'utf16le').swap16()],
  ['utf-16le', Buffer.from('中文中文', 'utf16le')],
])('reads text in %s', (declared, bytes) =>
  expect(decodeText(new Uint8Array(bytes), { declared })).toBe(bytes.length === 8 ? '中文中文' : 'März 中文'),
)

test.each([
  ['iso-2022-kr', '\x1b$)C\x0e>H3g\x0f hello', '안녕 hello'],
  ['csiso2022kr', '\x1b$)Chello\n\x0e>H3g\n', 'hello\n안녕\n'],
  [undefined, '\x1b$)C\x0e>H3g\x0f hello', '안녕 hello'],
  ['hz-gb-2312', 'Code: 483920 ~{VPND~} hello', 'Code: 483920 中文 hello'],
  ['HZ', '~{VPND\n~~ ~\nx', '中文\n~ x'],
  [undefined, '\x1b$BF|K\\8l\x1b(B test', '日本語 test'],
  ['us-ascii', '\x1b$BF|K\\8l\x1b(B test', '日本語 test'],
])('reads 7-bit text in %s', (declared, text, expected) => expect(decodeText(ascii(text), { declared })).toBe(expected))

test.each([
  ['utf-8', 'Ваш код ✓ 中文🎉 é'],
  ['gb18030', '中文 🎉 x'],
  ['shift_jis', 'コード 表'],
  ['euc-kr', '안녕 하세요'],
  ['utf-16le', 'März 中文🎉'],
])('the beginning of a text in %s is the beginning of what is read, wherever it is cut', (charset, text) => {
  const bytes = encoded(charset, text)
  for (const declared of charset === 'utf-8' ? [undefined, 'iso-8859-1', 'us-ascii', 'utf-8'] : [charset]) {
    for (let end = charset === 'utf-16le' ? 4 : 0; end < bytes.length; end++) {
      const beginning = decodeText(bytes.subarray(0, end), { declared, cut: true })
      expect(text.startsWith(beginning), `${declared} ${end}: ${beginning}`).toBe(true)
    }
  }
})

test.each(['', '; charset=iso-8859-1', '; charset=us-ascii', '; charset=utf-8', '; charset=unknown-8bit'])(
  'the first look reads long HTML%s as the complete parse does, wherever it cuts it',
  async (parameter) => {
    for (const [greeting, words] of [
      ['Ваш код подтверждения', 'Новости недели'],
      ['您的验证码是', '新闻和最新消息'],
    ]) {
      for (let pad = 0; pad < 3; pad++) {
        const html = `<p>${'x'.repeat(pad)} ${greeting}: <b>482913</b></p>${`<p>${words}</p>`.repeat(9000)}`
        const raw = mail([`From: a@b.example`, `Content-Type: text/html${parameter}`], html)
        const { preview, code, partial } = await firstLook(raw, ENVELOPE, defaultParseLimits)
        const whole = summarize(await parseMail(raw, defaultParseLimits), ENVELOPE)
        expect({ preview, code, partial }).toEqual({ preview: whole.preview, code: '482913', partial: undefined })
      }
    }
  },
)
