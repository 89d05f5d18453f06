import { expect, test } from 'vitest'
import { damagedSummary, type MessageSummary } from '#core/mailbox/message.ts'
import { createMessageFilter } from './message-filter.ts'

const summary = (subject: string): MessageSummary => ({
  ...damagedSummary,
  recipients: [],
  id: '1',
  receivedAt: 0,
  expiresAt: 1,
  size: 1,
  seen: false,
  subject,
})
const notSearched = () => Promise.reject(new Error('not searched'))
const never = { contains: notSearched, hasWords: notSearched }

test('ordinary expressions search hundreds of messages', async () => {
  const filter = createMessageFilter({ subject: '/code (is )?\\d{6}$/i' })
  for (let i = 0; i < 200; i++) expect(await filter.unmet(summary(`Your code is ${100_000 + i}`), never)).toEqual([])
})

test.each([
  ['Shop', '', '/^Shop$/'],
  ['Shop', 'a@shop.example', '/^Shop <a@shop\\.example>$/'],
  ['', 'a@shop.example', '/^<a@shop\\.example>$/'],
  ['', '', '/^$/'],
])('the sender "%s" with the address "%s" is found by %s', async (name, address, from) => {
  expect(await createMessageFilter({ from }).unmet({ ...summary(''), from: { name, address } }, never)).toEqual([])
})

test('expensive expressions on long subjects end a search before it holds up others, but not at the first message', async () => {
  const slow = '/(?:.*.*.*.*.*.*){5}[yz]$/s'
  const filter = createMessageFilter({ from: slow, to: slow, subject: slow })
  const long = 'x'.repeat(10_000)
  const message = { ...summary(long), to: long, recipients: [long], from: { name: long, address: '' } }
  const start = performance.now()
  expect(await filter.unmet(message, never)).toEqual(['from', 'to', 'subject'])
  expect(filter.isSpent()).toBe(false)
  while (!filter.isSpent()) await filter.unmet(message, never)
  expect(performance.now() - start).toBeLessThan(3000)
})

test('a recipient is found among all of a message', async () => {
  const recipients = ['qa+alice@mayfly.test', 'qa+bob@mayfly.test']
  const message = { ...summary(''), to: recipients[0]!, recipients }
  for (const to of ['+alice', '+BOB', '/^qa\\+bob@/'])
    expect(await createMessageFilter({ to }).unmet(message, never)).toEqual([])
  for (const to of ['+carol', '/alice.*bob/s'])
    expect(await createMessageFilter({ to }).unmet(message, never)).toEqual(['to'])
})

test('an expensive expression on very many recipients does not hold up others', async () => {
  const filter = createMessageFilter({ to: '/(?:.*.*.*.*.*.*){5}[yz]$/s' })
  const recipients = Array.from({ length: 1000 }, () => 'x'.repeat(254))
  const start = performance.now()
  expect(await filter.unmet({ ...summary(''), recipients }, never)).toEqual(['to'])
  expect(performance.now() - start).toBeLessThan(1000)
})

test('expressions see only the start of a long subject, other texts all of it', async () => {
  const long = summary(`start ${'x'.repeat(998)} end`)
  const unmet = (subject: string) => createMessageFilter({ subject }).unmet(long, never)
  expect(await unmet('/^Start/i')).toEqual([])
  expect(await unmet('/end/')).toEqual(['subject'])
  expect(await unmet('end')).toEqual([])
})

test.each([
  ['zürich SHOP', [], []],
  ['shop 482913', [], []],
  ['menu shop.example', [], []],
  ['shop deep text', ['DEEP', 'TEXT'], []],
  ['shop deep nowhere', ['DEEP', 'NOWHERE'], ['words']],
  [' ', [], []],
])('the words "%s" are searched in the summary, then %j in the text', async (words, searched, unmet) => {
  const asked: string[] = []
  const hasWords = async (wanted: readonly string[]): Promise<boolean> => {
    asked.push(...wanted)
    return !wanted.includes('NOWHERE')
  }
  const message = {
    ...summary('In Zurich'),
    from: { name: 'Shop', address: 'a@shop.example' },
    code: '482913',
    attachments: [{ filename: 'Menü.pdf' }],
  } as unknown as MessageSummary
  expect(await createMessageFilter({ words }).unmet(message, { ...never, hasWords })).toEqual(unmet)
  expect(asked).toEqual(searched)
})
