import { describe, expect, it } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { parsePath, splitCommand } from './commands.ts'

const latin1 = (text: string) => Buffer.from(text).toString('latin1')
const mailboxOf = (argument: string) => {
  const path = parsePath('FROM', argument, true)
  return typeof path === 'string' ? path : path.mailbox
}

describe('splitCommand', () => {
  it.each([
    ['QUIT', 'QUIT', ''],
    ['quit ', 'QUIT', ''],
    ['mail FROM:<a@b>', 'MAIL', 'FROM:<a@b>'],
    ['EHLO  client ', 'EHLO', 'client'],
    ['', '', ''],
  ])('splits %j', (line, verb, argument) => {
    expect(splitCommand(line)).toEqual({ verb, argument })
  })
})

describe('parsePath', () => {
  it.each([
    ['FROM:<>', ''],
    ['FROM:<a@example.org>', 'a@example.org'],
    ['from: <a@example.org>', 'a@example.org'],
    ['FROM:<@relay.example,@b.example:a@example.org>', 'a@example.org'],
    ['FROM:<"quoted > \\" string"@example.org>', '"quoted > \\" string"@example.org'],
    ['FROM:<"a b"@example.org> SIZE=3', '"a b"@example.org'],
    ["FROM:<!#$%&'*+-/=?^_`{|}~@example.org>", "!#$%&'*+-/=?^_`{|}~@example.org"],
    ['FROM:<a..b.@docomo.example>', 'a..b.@docomo.example'],
    ['FROM:<a@under_score.example>', 'a@under_score.example'],
    ['FROM:<a@example.org.>', 'a@example.org.'],
    ['FROM:<a@[192.0.2.1]>', 'a@[192.0.2.1]'],
    ['FROM:<a@[IPv6:2001:db8::1]>', 'a@[IPv6:2001:db8::1]'],
    ['FROM:<postmaster>', 'postmaster'],
    [latin1('FROM:<пример@почта.рф>'), 'пример@почта.рф'],
    [latin1('FROM:<a@münchen.example>'), 'a@münchen.example'],
  ])('parses %j', (argument, mailbox) => {
    expect(mailboxOf(argument)).toBe(mailbox)
  })

  it.each([
    '',
    'FROM:',
    'FROM:a@example.org',
    'TO:<a@example.org>',
    'FROM:<a@example.org',
    'FROM:<a@b@example.org>',
    'FROM:<a b@example.org>',
    'FROM:<@example.org>',
    'FROM:<a@>',
    'FROM:<a@-example.org>',
    'FROM:<a@example-.org>',
    'FROM:<a@example..org>',
    'FROM:<"a@example.org>',
    'FROM:<a@[192.0.2.1>',
    'FROM:<<a@example.org>>',
    'FROM:<a@example.org>SIZE=1',
    'FROM:<a@example.org> =1',
    'FROM:<a@example.org> SIZE=1 size=2',
    'FROM:<\xff\xfe@example.org>',
    'FROM:<\xc0\xaf@example.org>',
  ])('rejects %j', (argument) => {
    expect(mailboxOf(argument)).toBe('syntax')
  })

  it.each([
    [256, undefined],
    [257, 'too-long'],
  ])('checks the length of a reverse-path: %i octets: %s', (octets, fault) => {
    const path = `<${'a'.repeat(octets - 14)}@example.org>`
    expect(path).toHaveLength(octets)
    const parsed = parsePath('FROM', `FROM:${path} SIZE=1`)
    expect(typeof parsed === 'string' ? parsed : undefined).toBe(fault)
    const wide = parsePath('FROM', latin1(`FROM:<${'ü'.repeat(120)}${'a'.repeat(octets - 254)}@example.org> SMTPUTF8`))
    expect(typeof wide === 'string' ? wide : undefined).toBe(fault)
    expect(parsePath('TO', `TO:${path}`)).toMatchObject({ literal: false })
  })

  it('distinguishes address literals from domains', () => {
    expect(parsePath('TO', 'TO:<a@[192.0.2.1]>')).toMatchObject({ literal: true })
    expect(parsePath('TO', 'TO:<a@example.org>')).toMatchObject({ literal: false })
  })

  it('parses parameters', () => {
    const path = parsePath('FROM', 'FROM:<a@example.org> size=42  BODY=8BITMIME SMTPUTF8')
    expect(typeof path === 'string' ? path : [...path.parameters]).toEqual([
      ['SIZE', '42'],
      ['BODY', '8BITMIME'],
      ['SMTPUTF8', true],
    ])
  })

  it('accepts UTF-8 only with SMTPUTF8', () => {
    const sender = latin1('FROM:<ü@example.org>')
    expect(parsePath('FROM', sender)).toBe('needs-smtputf8')
    expect(parsePath('FROM', `${sender} SMTPUTF8`)).toMatchObject({ mailbox: 'ü@example.org' })
    expect(parsePath('TO', latin1('TO:<ü@example.org>'), false)).toBe('needs-smtputf8')
  })

  it('parses input that provokes backtracking in less than 200 ms', () => {
    const parseAll = (): void => {
      for (const text of ['a.'.repeat(1000), '"\\"'.repeat(600), `a@${'a-'.repeat(1000)}`, '@a,'.repeat(600)]) {
        parsePath('FROM', `FROM:<${text}`)
        parsePath('FROM', `FROM:<${text}> ${text}`)
      }
    }
    expect(cpuTime(parseAll)).toBeLessThan(200)
  })
})
