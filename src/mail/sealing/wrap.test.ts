import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { SealError } from './open.ts'
import { createWrap } from './wrap.ts'

const key = randomBytes(32)
const { wrap, unwrap, hash } = createWrap(key)

test('what was wrapped opens again, and no two look alike', () => {
  for (const text of ['', 'zoë@example.com', 'x'.repeat(10_000)]) {
    const wrapped = wrap('email', text)
    expect(unwrap('email', wrapped)).toBe(text)
    expect(wrap('email', text)).not.toEqual(wrapped)
    expect(Buffer.from(wrapped).includes(text)).toBe(text === '')
  }
})

test('not for another purpose, with another key, cut off or changed', () => {
  const wrapped = wrap('email', 'zoe@example.com')
  expect(() => unwrap('letter', wrapped)).toThrow(SealError)
  expect(() => createWrap(randomBytes(32)).unwrap('email', wrapped)).toThrow(SealError)
  for (let end = 0; end < wrapped.length; end++)
    expect(() => unwrap('email', wrapped.subarray(0, end))).toThrow(SealError)
  for (let i = 0; i < wrapped.length; i++) {
    const changed = Buffer.from(wrapped)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(() => unwrap('email', changed)).toThrow(SealError)
  }
})

test('a hash is the same each time, and of its key and purpose', () => {
  expect(hash('email', 'a')).toBe(createWrap(key).hash('email', 'a'))
  expect(hash('email', 'a')).toMatch(/^[\w-]{22}$/)
  expect(hash('email', 'a')).not.toBe(hash('letter', 'a'))
  expect(hash('email', 'a')).not.toBe(createWrap(randomBytes(32)).hash('email', 'a'))
})
