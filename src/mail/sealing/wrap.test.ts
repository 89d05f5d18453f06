import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { SealError } from './open.ts'
import { createWrap } from './wrap.ts'

const key = randomBytes(32)
const { wrap, unwrap, hash } = createWrap(key)

test('a wrapped value opens again, and is different each time', () => {
  for (const text of ['', 'zoë@example.com', 'x'.repeat(10_000)]) {
    const wrapped = wrap('email', text)
    expect(unwrap('email', wrapped)).toBe(text)
    expect(wrap('email', text)).not.toEqual(wrapped)
    expect(Buffer.from(wrapped).includes(text)).toBe(text === '')
  }
})

test('a value that is bound to a row opens only for that row, an unbound one for any row', () => {
  const bound = wrap('email', 'zoe@example.com', 'row')
  expect(unwrap('email', bound, 'row')).toBe('zoe@example.com')
  for (const row of ['another', '', undefined]) expect(() => unwrap('email', bound, row)).toThrow(SealError)
  expect(() => unwrap('address', bound, 'row')).toThrow(SealError)
  const unbound = wrap('email', 'zoe@example.com')
  expect([bound[0], unbound[0]]).toEqual([2, 1])
  for (const row of ['row', '', undefined]) expect(unwrap('email', unbound, row)).toBe('zoe@example.com')
  // Neither opens with the version byte of the other.
  for (const [version, wrapped] of [
    [1, bound],
    [2, unbound],
  ] as const)
    expect(() => unwrap('email', Buffer.concat([Buffer.of(version), wrapped.subarray(1)]), 'row')).toThrow(SealError)
})

test('values are not bound to their rows while nodes of the previous version may run', () => {
  const early = createWrap(key, Date.now() + 3_600_000)
  const wrapped = early.wrap('email', 'zoe@example.com', 'row')
  expect(wrapped[0]).toBe(1)
  expect(unwrap('email', wrapped, 'row')).toBe('zoe@example.com')
  expect(early.unwrap('email', wrap('email', 'zoe@example.com', 'row'), 'row')).toBe('zoe@example.com')
})

test('values are bound while unbound ones are refused, even if the clock went back', () => {
  const early = createWrap(key, Date.now() + 1000)
  early.refuseUnbound()
  expect(early.unwrap('letter', early.wrap('letter', 'hello', 'row'), 'row')).toBe('hello')
})

test('a value does not open for another purpose, with another key, truncated or changed', () => {
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

test('a hash is the same each time, and depends on the key and the purpose', () => {
  expect(hash('email', 'a')).toBe(createWrap(key).hash('email', 'a'))
  expect(hash('email', 'a')).toMatch(/^[\w-]{22}$/)
  expect(hash('email', 'a')).not.toBe(hash('letter', 'a'))
  expect(hash('email', 'a')).not.toBe(createWrap(randomBytes(32)).hash('email', 'a'))
})
