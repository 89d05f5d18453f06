import { expect, test } from 'vitest'
import { damagedSummary, type MessageContent, type MessageSummary } from '#core/mailbox/message.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { headersJson, messageJson } from './json.ts'

const headers = (head: string): Record<string, string[]> => headersJson(Buffer.from(`${head}\r\n\r\nbody`))

function listUnsubscribe(value: string): unknown {
  const summary: Partial<MessageSummary> = { ...damagedSummary, recipients: [], receivedAt: 0 }
  const content: Partial<MessageContent> = { headers: [{ name: 'List-Unsubscribe', value }] }
  const json = messageJson(summary as MessageSummary, content as MessageContent, [])
  return (json as { ListUnsubscribe: unknown }).ListUnsubscribe
}

test('headers are on one line, without the spaces around a fold', () =>
  expect(headers('Subject: one \t\r\n  two\r\n \t\r\n three  four \r\nTo : a')).toEqual({
    Subject: ['one two  three  four'],
    To: ['a'],
  }))

test('lists the links of List-Unsubscribe', () =>
  expect(listUnsubscribe('< mailto:off@shop.example >, <https://shop.example/off>, <>, < >')).toMatchObject({
    Links: ['mailto:off@shop.example', 'https://shop.example/off'],
    Errors: '',
  }))

test.each([
  ['spaces', () => headers(`Subject: a${' '.repeat(100_000)}b`)],
  ['folds', () => headers(`Subject: a${'\r\n '.repeat(60_000)}`)],
  ['opened links', () => listUnsubscribe('<'.repeat(100_000))],
  ['a link of spaces', () => listUnsubscribe(`<${' '.repeat(100_000)}`)],
])('reads a header of nothing but %s in linear time', (_what, read) => expect(cpuTime(read)).toBeLessThan(500))
