import { describe, expect, test } from 'vitest'
import { EMAIL_MAX_LENGTH } from '#core/operating/support.ts'
import { canonicalEmail, emailAddress, maskedEmail } from './email-address.ts'

const LABELS = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(55)}.example`

describe('emailAddress', () => {
  test.each([
    ['ann@example.com', 'ann@example.com'],
    ['  ann@example.com\n', 'ann@example.com'],
    ["o'hara+shop_1=x@mail.example.co.uk", "o'hara+shop_1=x@mail.example.co.uk"],
    ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
    ['张伟@例子.中国', '张伟@xn--fsqu00a.xn--fiqs8s'],
    [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
  ])('normalizes %j', (input, address) => expect(emailAddress(input)).toBe(address))

  test(`accepts ${EMAIL_MAX_LENGTH} octets, but not one more`, () => {
    const local = 'l'.repeat(EMAIL_MAX_LENGTH - LABELS.length - 1)
    expect(emailAddress(`${local}@${LABELS}`)).toHaveLength(EMAIL_MAX_LENGTH)
    expect(emailAddress(`${local}l@${LABELS}`)).toBeUndefined()
  })
})

test.each([
  '',
  'ann',
  '@example.com',
  'ann@',
  'ann@localhost',
  'ann@example.com.',
  'ann@192.0.2.1',
  'ann@[192.0.2.1]',
  'ann@-a.example',
  'ann@a..example',
  'ann@a_b.example',
  '.ann@example.com',
  'ann.@example.com',
  'a..b@example.com',
  'a b@example.com',
  '"a b"@example.com',
  'ann@example.com, bob@example.com',
  'Ann <ann@example.com>',
  'ann@example.com\r\nBcc: bob@example.com',
  'ann\u202E@example.com',
  'ann\u200D@example.com',
  'ann\uFE0F@example.com',
  'ann\u3164@example.com',
  'a\u034Fnn@example.com',
  'ann\u0000@example.com',
  `${'l'.repeat(65)}@example.com`,
  `${'é'.repeat(33)}@example.com`,
])('emailAddress rejects %j', (input) => expect(emailAddress(input)).toBeUndefined())

test.each([
  ['ann@example.com', 'a…@example.com'],
  ['a@example.com', 'a…@example.com'],
  ['𝒜.b@example.com', '𝒜…@example.com'],
])('maskedEmail masks %s as %s', (email, masked) => expect(maskedEmail(email)).toBe(masked))

test.each([
  ['\u212Aate@example.com', 'Kate@example.com'],
  ['\uFF4Bate@example.com', 'kate@example.com'],
  ['\u{1D424}ate@example.com', 'kate@example.com'],
  ['kate\uFF20example.com', 'kate@example.com'],
  ['kate@e\u24E7ample\u3002com', 'kate@example.com'],
  ['e\u0301@example.com', '\u00E9@example.com'],
])('emailAddress replaces compatibility characters in %j: %s', (input, address) =>
  expect(emailAddress(input)).toBe(address),
)

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length

test('canonicalEmail never maps a non-ASCII mailbox to an ASCII account', () => {
  const squatters: string[] = []
  for (let code = 0x80; code < 0x110000; code++) {
    const character = String.fromCodePoint(code)
    if (!/[\p{L}\p{M}\p{N}]/u.test(character)) continue
    const input = `a${character}b@example.com`
    const key = canonicalEmail(input)
    if (key && isAscii(key) && !isAscii(emailAddress(input) ?? '')) squatters.push(input)
  }
  expect(squatters).toEqual([])
  expect(canonicalEmail('Stra\u00DFe@example.com')).not.toBe(canonicalEmail('strasse@example.com'))
  expect(canonicalEmail('\u0131van@example.com')).not.toBe(canonicalEmail('ivan@example.com'))
})

test('canonicalEmail ignores case and Unicode composition', () => {
  for (const input of ['KATE@Example.COM', ' kate@example.com ', '\u212Aate@EXAMPLE.com'])
    expect(canonicalEmail(input)).toBe('kate@example.com')
  expect(canonicalEmail('E\u0301VA@example.com')).toBe(canonicalEmail('\u00E9va@example.com'))
})
