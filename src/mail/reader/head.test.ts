import { expect, test } from 'vitest'
import { mail } from '#test/fixtures/mail/build.ts'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { headReader, textCharsets } from './head.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'
import { summarize } from './summarize.ts'

const utf8 = (text: string): string => Buffer.from(text).toString('latin1')
async function read(...headers: string[]): Promise<[string, string]> {
  const raw = mail(headers)
  const { from, subject } = summarize(await parseMail(raw, defaultParseLimits), ENVELOPE)
  return [from.name, subject]
}

test('each header has a charset of its own', async () => {
  const spam = 'X-Spam: M\xe4rze'
  expect(await read(spam, utf8('From: Jürgen <a@b.example>'), utf8('Subject: Grüße ✓'))).toEqual(['Jürgen', 'Grüße ✓'])
  expect(await read(spam, 'From: J\xfcrgen <a@b.example>', utf8('Subject: Grüße\r\n aus Köln'))).toEqual([
    'Jürgen',
    'Grüße aus Köln',
  ])
  expect(await read(utf8('From: Jürgen <a@b.example>'), utf8('Subject: Grüße ✓ ') + '\xe2\x82')).toEqual([
    'Jürgen',
    'Grüße ✓ \uFFFD',
  ])
})

test.each(['unknown-8bit', 'x-unknown', 'default', 'utf-8', 'us-ascii', 'iso-8859-1', 'utf-16', ''])(
  'an encoded word in UTF-8 is read as such, whatever it declares: %s',
  async (charset) => {
    const headers = [`From: =?${charset}?q?J=C3=BCrgen?= <a@b.example>`, `Subject: =?${charset}?B?R3LDvMOfZQ==?=`]
    expect(await read(...headers)).toEqual(['Jürgen', 'Grüße'])
  },
)

test.each([
  ['=?unknown-8bit?q?J=FCrgen?=', 'Jürgen'],
  ['=?utf-8?q?Caf=E9?=', 'Café'],
  ["=?'gb2312'?B?1tDOxA==?=", '中文'],
  ['=?ISO-2022-KR?B?GyQpQw4+SDNnDw==?=', '안녕'],
  ['=?hz-gb-2312?Q?~{VPND~}?=', '中文'],
  ['\x1b$BF|K\\8l\x1b(B', '日本語'],
  ['=?utf-8?Q?=F0=9F=8E?= =?UTF-8?B?iSBwYXJ0eQ==?=', '🎉 party'],
  ['=?utf-8*en?Q?=F0=9F=8E?=\r\n =?utf-8?Q?=89?= =?iso-8859-2?Q?=B3?= x', '🎉ł x'],
  ['=?utf-8?Q?a?= b =?utf-8?Q?c?=', 'a b c'],
  ['=?utf-8?Q?long\r\n text?=', 'long text'],
  ['=?iso-8859-1?Q?5=A0\xa0x?=', '5 x'],
  ['=?iso-8859-2?q?\xc3\xa9=B1?= =?iso-8859-2?q?\xc3\xa9=B1?=', 'éąéą'],
  ['=?utf-8?B?SGU=bGxv?=', 'Hello'],
  ['=?utf-8?B?SGVs\r\n bG8=?=', 'Hello'],
])('reads %j', async (encoded, subject) =>
  expect(await read('From: a@b.example', `Subject: ${encoded}`)).toEqual(['', subject]),
)

test.each([
  [`filename*0="=?utf-8?Q?Rechnung_f=C3=BCr";\r\n filename*1="_Gr=C3=B6=C3=9Fe.pdf?="`, 'Rechnung für Größe.pdf'],
  [`filename*0="=?utf-8?B?R3LDtsOf";\r\n filename*1="ZS5wZGY=?="`, 'Größe.pdf'],
  [`filename="=?utf-8?Q?a.pdf";\r\n x-y="a?="`, '=?utf-8?Q?a.pdf'],
  [`filename="=?utf-8?Q?Gr=C3=B6=C3?=\r\n =?utf-8?Q?=9Fe.pdf?="; x="a?="`, 'Größe.pdf'],
])('an encoded word stays within its parameter: %s', async (parameters, name) => {
  const parsed = await parseMail(mail([`Content-Disposition: attachment; ${parameters}`]), defaultParseLimits)
  expect(parsed.attachments[0]?.filename).toBe(name)
})

test('an encoded word does not reach beyond quotes', async () => {
  const raw = mail(['From: "=?utf-8?Q?John" <a@bank.example>, "x?=" <c@evil.example>'])
  expect((await parseMail(raw, defaultParseLimits)).from?.address).toBe('a@bank.example')
})

test.each([
  ['\x1b(BFrom: ceo@bank.example', ['\x1b(bfrom', 'from']],
  ['\x1b$B\x1b(BFrom: ceo@bank.example', ['\x1b$b\x1b(bfrom', 'from']],
  ['X: y\r\n\x1b$B\x1b(B Z: a', ['x', '\x1b$b\x1b(b z', 'from']],
  ['X:\xff\xfeF\x00r\x00', ['x', 'from']],
  ['\xff\xfeX: y', ['\uFFFD\uFFFDx', 'from']],
])('decoding does not change the names of headers: %j', async (line, keys) => {
  const parsed = await parseMail(mail([line, 'From: a@b.example']), defaultParseLimits)
  expect(parsed.headers.map(({ key }) => key)).toEqual(keys)
  expect(parsed.from?.address).toBe('a@b.example')
})

test('ids that look like encoded words stay as they are', async () => {
  const parsed = await parseMail(mail(['Message-ID: <=?utf-8?Q?a=2Epng?=@x>']), defaultParseLimits)
  expect(parsed.headers[0]?.value).toBe('<=?utf-8?Q?a=2Epng?=@x>')
})

test.each(['=?utf-8?Q?a', '=?utf-8?Q?a =', '\x1b$B', '\xe4\x1b$B', '\xd6'])(
  'no text reaches into the next header: %j',
  async (subject) => {
    const raw = mail([`Subject: ${subject}`, 'From: a@b.example', 'X: ?=', 'Content-Type: text/plain; charset=gbk'])
    const parsed = await parseMail(raw, defaultParseLimits)
    expect(parsed.headers.map(({ key }) => key)).toEqual(['subject', 'from', 'x', 'content-type'])
    expect(parsed.from?.address).toBe('a@b.example')
  },
)

test.each([
  ['lines of one byte', '\xe9\n'],
  ['lines with an escape sequence', '\x1b$B\xe9\n'],
  ['words of unknown charsets', (i: number) => `=?x-${i}?q?=e9?= a `],
  ['words of many charsets', (i: number) => `=?${i % 2 ? 'gbk' : 'koi8-r'}?q?=e9?= `],
  ['words without an end', '=?utf-8?q?\n '],
])('500 KB of %s are read in linear time', (_what, line) => {
  const lines: string[] = []
  for (let size = 0, i = 0; size < 500_000; i++) {
    const next = typeof line === 'string' ? line : line(i)
    lines.push(next)
    size += next.length
  }
  const raw = mail([lines.join('')])
  expect(cpuTime(() => headReader(textCharsets(raw), defaultParseLimits.maxHeaderBytes)(raw))).toBeLessThan(600)
})
