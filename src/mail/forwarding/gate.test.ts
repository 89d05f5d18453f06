import { describe, expect, test } from 'vitest'
import { forbids } from './gate.ts'

const limits = { maxBytes: 2_000_000, maxHops: 50 }
const raw = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1')
const TRACE = ['Return-Path: <a@b.example>', 'Received: from x']

test.each([
  ['a mail', raw(...TRACE, 'From: a@b.example', '', 'hello')],
  ['one with the mark in its body', raw(...TRACE, '', 'X-Mayfly-Forwarded: x')],
  ['one with the mark in the body of bare line feeds', Buffer.from('Received: x\n\nX-Mayfly-Forwarded: x\n')],
  ['one with the mark in another value', raw('Subject: X-Mayfly-Forwarded: x', ' X-Mayfly-Forwarded: y', '', '')],
  ['one with another mark', raw('X-Mayfly-Forwarded-By: x', 'Not-X-Mayfly-Forwarded: x', '', '')],
  ['one of 50 hops', raw(...Array.from({ length: 50 }, () => 'Received: from x'), '', 'Received: in the body')],
  ['no body', raw(...TRACE)],
  ['nothing', raw()],
  ['one byte', raw('x')],
])('%s may be forwarded', (_what, mail) => expect(forbids(mail, limits)).toBeUndefined())

describe('a mail that has been forwarded from here', () => {
  test.each([
    ['as we write it', 'X-Mayfly-Forwarded: 01ktjpq5g0a1b2c3d4e5f6g7h8.x'],
    ['in small letters', 'x-mayfly-forwarded:x'],
    ['in capitals', 'X-MAYFLY-FORWARDED: x'],
    ['with white space before the colon', 'X-Mayfly-Forwarded \t : x'],
    ['folded before the colon', 'X-Mayfly-Forwarded\r\n : x'],
    ['empty', 'X-Mayfly-Forwarded:'],
    ['folded', 'X-Mayfly-Forwarded:\r\n x'],
  ])('%s', (_how, field) => {
    const mails = [
      raw(...TRACE, field, '', 'hello'),
      raw(field, ...TRACE),
      raw('Subject: caf\xe9', field),
      Buffer.from(`Received: x\n${field.replaceAll('\r', '')}\n\nhello`),
      raw(...TRACE, `Subject: ${' x\r\n'.repeat(200_000)}${field}`, '', ''),
    ]
    for (const mail of mails) expect(forbids(mail, limits)).toBe('loop')
  })
})

test.each(['Received: x', 'received:x', 'RECEIVED : x', 'Received\r\n : x', 'Received:\r\n from x'])(
  'a mail of too many hops: %j',
  (field) => {
    expect(forbids(raw(...Array.from({ length: 51 }, () => field), '', ''), limits)).toBe('loop')
    expect(forbids(raw(...Array.from({ length: 50 }, () => field), '', ''), limits)).toBeUndefined()
  },
)

test('a mail that is too big, or its header', () => {
  expect(forbids(Buffer.alloc(limits.maxBytes, 'a\r\n\r\n'), limits)).toBeUndefined()
  expect(forbids(Buffer.alloc(limits.maxBytes + 1, 'a\r\n\r\n'), limits)).toBe('too-big')
  expect(forbids(Buffer.concat([Buffer.alloc(1024 * 1024 - 4, 'a: b\r\n'), raw('', '', 'x')]), limits)).toBeUndefined()
})

test.each([
  ['of one line', 'X: ', 'a'],
  ['of a million lines', '', 'a\n'],
  ['of folded lines', 'Xy: \r\n', ' \r\n'],
  ['of the beginnings of marks', '', 'X-Mayfly-Forwarded\r\n '],
  ['of nothing but white space', 'X-Mayfly-Forwarded', ' '],
])('a header without end %s is answered at once', (_what, start, rest) => {
  const mail = Buffer.alloc(25_000_000, rest)
  mail.write(start)
  const started = performance.now()
  expect(forbids(mail, { ...limits, maxBytes: 26_000_000 })).toBe('too-big')
  expect(forbids(Buffer.concat([mail.subarray(0, 1_000_000), Buffer.from('\r\n\r\nbody')]), limits)).toBeUndefined()
  expect(performance.now() - started).toBeLessThan(5000)
})
