import { expect, test } from 'vitest'
import { mailboxText } from '#core/mailbox/message.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { senderName } from './sender.ts'

test.each([
  ['Ann', 'ann@a.example', 'Ann', 'Ann <ann@a.example>'],
  ['', 'ann@a.example', 'ann@a.example', 'ann@a.example'],
  ['MAILER-DAEMON', '', 'MAILER-DAEMON', 'MAILER-DAEMON'],
  ['', '', '', ''],
  ['Ann@A.example', 'ann@a.example', 'Ann@A.example', 'Ann@A.example <ann@a.example>'],
  ['Ann @ Work', 'ann@a.example', 'Ann @ Work', 'Ann @ Work <ann@a.example>'],
  ['service@bank.example', 'x@evil.example', 'x@evil.example', 'service@bank.example <x@evil.example>'],
  ['Bank (service@bank.example)', 'x@evil.example', 'x@evil.example', 'Bank (service@bank.example) <x@evil.example>'],
  ['service＠bank．example', 'x@evil.example', 'x@evil.example', 'service＠bank．example <x@evil.example>'],
])('a sender with the name "%s" and the address "%s" is named "%s"', (name, address, short, full) => {
  expect(senderName({ name, address })).toBe(short)
  expect(mailboxText({ name, address })).toBe(full)
})

test('long names are read in linear time', () =>
  expect(cpuTime(() => senderName({ name: 'a'.repeat(100_000), address: 'ann@a.example' }))).toBeLessThan(500))
