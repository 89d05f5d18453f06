import { expect, test } from 'vitest'
import type { MessageSummary } from '#core/mailbox/message.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { parseMailQuery } from './mail-query.ts'

const message = (subject: string): MessageSummary =>
  ({
    subject,
    from: { name: 'Ann', address: 'ann@shop.example' },
    to: 'me@mayfly.test',
    recipients: ['me@mayfly.test'],
    attachments: [],
  }) as never
const inBody = async (wanted: readonly string[]): Promise<boolean[]> => wanted.map(() => false)

test.each([
  ['constructor', 'about a constructor', true],
  ['constructor', 'hello', false],
  ['constructor:x', 'constructor:x', true],
  ['constructor:x', 'hello', false],
  ['-tostring:x', 'hello', true],
])('takes %s for text in %j: %s', async (query, subject, matches) => {
  expect(await parseMailQuery(query).matches(message(subject), inBody)).toBe(matches)
})

test('searches the body once, for each different text that only it may contain', async () => {
  const calls: (readonly string[])[] = []
  const find = (query: string, ...found: boolean[]): Promise<boolean> =>
    parseMailQuery(query).matches(message('hello'), async (wanted) => {
      calls.push(wanted)
      return found
    })
  expect(await find('k hello K "k" -z !Z /y/ is:unread', true, false, true)).toBe(true)
  expect(await find('k -b', true, true)).toBe(false)
  expect(await find('k -b', false, false)).toBe(false)
  expect(calls).toEqual([
    ['k', 'Z', '/y/'],
    ['k', 'b'],
    ['k', 'b'],
  ])
  expect(await find('hello')).toBe(true)
  expect(await find('k -hello', true)).toBe(false)
  expect(calls).toHaveLength(3)
})

test('reads a subject of nothing but marks once, not for each term', async () => {
  const query = parseMailQuery('-subject:x '.repeat(180))
  const marked = message(`a${'\u0301\u0316'.repeat(500)}`)
  expect(cpuTime(() => void query.matches(marked, inBody))).toBeLessThan(50)
})
