import { expect, test } from 'vitest'
import type { MessageSummary } from '#core/mailbox/message.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { parseMailQuery } from './mail-query.ts'

const message = (subject: string): MessageSummary =>
  ({ subject, from: { name: 'Ann', address: 'ann@shop.example' }, to: 'me@mayfly.test', attachments: [] }) as never
const inBody = async (): Promise<boolean> => false

test.each([
  ['constructor', 'about a constructor', true],
  ['constructor', 'hello', false],
  ['constructor:x', 'constructor:x', true],
  ['constructor:x', 'hello', false],
  ['-tostring:x', 'hello', true],
])('takes %s for text in %j: %s', async (query, subject, matches) => {
  expect(await parseMailQuery(query).matches(message(subject), inBody)).toBe(matches)
})

test('reads a subject of nothing but marks once, not for each term', async () => {
  const query = parseMailQuery('-subject:x '.repeat(180))
  const marked = message(`a${'\u0301\u0316'.repeat(500)}`)
  expect(cpuTime(() => void query.matches(marked, inBody))).toBeLessThan(50)
})
