import { describe, expect, test } from 'vitest'
import { forbids } from './gate.ts'

const limits = { maxBytes: 2_000_000, maxHops: 50 }
const raw = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1')
const TRACE = ['Return-Path: <a@b.example>', 'Received: from x']

test.each([
  ['a message', raw(...TRACE, 'From: a@b.example', '', 'hello')],
  ['the mark in the body', raw(...TRACE, '', 'X-Mayfly-Forwarded: x')],
  ['the mark in a body with bare line feeds', Buffer.from('Received: x\n\nX-Mayfly-Forwarded: x\n')],
  ['the mark in the value of another field', raw('Subject: X-Mayfly-Forwarded: x', ' X-Mayfly-Forwarded: y', '', '')],
  ['similar field names', raw('X-Mayfly-Forwarded-By: x', 'Not-X-Mayfly-Forwarded: x', '', '')],
  ['50 hops', raw(...Array.from({ length: 50 }, () => 'Received: from x'), '', 'Received: in the body')],
  ['no body', raw(...TRACE)],
  ['an empty message', raw()],
  ['one byte', raw('x')],
])('allows %s', (_what, mail) => expect(forbids(mail, limits)).toBeUndefined())

describe('rejects a message with the mark', () => {
  test.each([
    ['as Mayfly writes it', 'X-Mayfly-Forwarded: 01ktjpq5g0a1b2c3d4e5f6g7h8.x'],
    ['in lower case', 'x-mayfly-forwarded:x'],
    ['in upper case', 'X-MAYFLY-FORWARDED: x'],
    ['with white space before the colon', 'X-Mayfly-Forwarded \t : x'],
    ['folded before the colon', 'X-Mayfly-Forwarded\r\n : x'],
    ['empty', 'X-Mayfly-Forwarded:'],
    ['folded', 'X-Mayfly-Forwarded:\r\n x'],
  ])('%s', (_how, field) => {
    const messages = [
      raw(...TRACE, field, '', 'hello'),
      raw(field, ...TRACE),
      raw('Subject: caf\xe9', field),
      Buffer.from(`Received: x\n${field.replaceAll('\r', '')}\n\nhello`),
      raw(...TRACE, `Subject: ${' x\r\n'.repeat(200_000)}${field}`, '', ''),
    ]
    for (const mail of messages) expect(forbids(mail, limits)).toBe('loop')
  })
})

test.each(['Received: x', 'received:x', 'RECEIVED : x', 'Received\r\n : x', 'Received:\r\n from x'])(
  'rejects a message with too many hops: %j',
  (field) => {
    expect(forbids(raw(...Array.from({ length: 51 }, () => field), '', ''), limits)).toBe('loop')
    expect(forbids(raw(...Array.from({ length: 50 }, () => field), '', ''), limits)).toBeUndefined()
  },
)

test('rejects a message that is too big', () => {
  expect(forbids(Buffer.alloc(limits.maxBytes, 'a\r\n\r\n'), limits)).toBeUndefined()
  expect(forbids(Buffer.alloc(limits.maxBytes + 1, 'a\r\n\r\n'), limits)).toBe('too-big')
  expect(forbids(Buffer.concat([Buffer.alloc(1024 * 1024 - 4, 'a: b\r\n'), raw('', '', 'x')]), limits)).toBeUndefined()
})

test.each([
  ['of one line', 'X: ', 'a'],
  ['of a million lines', '', 'a\n'],
  ['of folded lines', 'Xy: \r\n', ' \r\n'],
  ['of partial marks', '', 'X-Mayfly-Forwarded\r\n '],
  ['of nothing but white space', 'X-Mayfly-Forwarded', ' '],
])('checks an endless header %s in linear time', { tags: ['slow'] }, (_what, start, rest) => {
  const mail = Buffer.alloc(25_000_000, rest)
  mail.write(start)
  const started = performance.now()
  expect(forbids(mail, { ...limits, maxBytes: 26_000_000 })).toBe('too-big')
  expect(forbids(Buffer.concat([mail.subarray(0, 1_000_000), Buffer.from('\r\n\r\nbody')]), limits)).toBeUndefined()
  expect(performance.now() - started).toBeLessThan(5000)
})
