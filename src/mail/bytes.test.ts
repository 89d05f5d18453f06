import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { concat, fromBase64, strictUtf8, toBase64, toBase64Url, toUtf8 } from './bytes.ts'

const SIZES = [0, 1, 2, 3, 8191, 8192, 8193, 100_000]
/** Removes `toBase64`, which browsers before 2025 do not have. */
const plain = (bytes: Uint8Array): Uint8Array => Object.defineProperty(bytes, 'toBase64', { value: undefined })

describe('base64', () => {
  test.each(SIZES)('encodes and decodes %i bytes like Node', (size) => {
    const bytes = new Uint8Array(randomBytes(size))
    const text = Buffer.from(bytes).toString('base64')
    expect([toBase64(bytes), toBase64(plain(new Uint8Array(bytes)))]).toEqual([text, text])
    expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
    expect(fromBase64(text)).toEqual(bytes)
    expect(fromBase64(toBase64Url(bytes))).toEqual(bytes)
  })

  test.each(['', 'Y', 'YQ', 'YQ=', 'YW Jj\r\nZA==', 'Y*W!J?j', 'YWJjZ'])('decodes %j like Node', (text) =>
    expect(Buffer.from(fromBase64(text))).toEqual(Buffer.from(text, 'base64')),
  )

  test.each(['SGU=bGxv', 'SGVsbA==bw==', '=SGVsbG8=='])('decodes %j after padding', (text) =>
    expect(Buffer.from(fromBase64(text)).toString()).toMatch(/^Hello$/),
  )
})

describe('UTF-8', () => {
  const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
  test.each([
    ['ASCII', bytes(0x61), 'a'],
    ['a letter of two bytes', bytes(0xc3, 0xa9), 'é'],
    ['a byte order mark', bytes(0xef, 0xbb, 0xbf, 0x61), '\uFEFFa'],
    ['half a letter', bytes(0xc3), undefined],
    ['Latin 1', bytes(0xe9, 0x61), undefined],
  ])('is decoded: %s', (_name, given, text) => {
    expect(strictUtf8(given)).toBe(text)
    expect(toUtf8(given)).toBe(Buffer.from(given).toString())
  })
})

test('concat keeps the order of its parts', () =>
  expect(concat(Uint8Array.of(1), Uint8Array.of(), Uint8Array.of(2, 3))).toEqual(Uint8Array.of(1, 2, 3)))
