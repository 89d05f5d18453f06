import { expect, test } from 'vitest'
import { damagedSummary, type MessageSummary } from '#core/mailbox/message.ts'
import { createMessageFilter } from './message-filter.ts'

const summary = (subject: string): MessageSummary => ({
  ...damagedSummary,
  id: '1',
  receivedAt: 0,
  expiresAt: 1,
  size: 1,
  seen: false,
  subject,
})
const never = () => Promise.reject(new Error('not searched'))

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

test('an expensive expression on long subjects is refused before it holds up others', async () => {
  const filter = createMessageFilter({ subject: '/(?:.*.*.*.*.*.*){5}[yz]$/s' })
  const subjects = Array.from({ length: 500 }, () => summary('x'.repeat(998)))
  const start = performance.now()
  const search = async () => {
    for (const each of subjects) await filter.unmet(each, never)
  }
  await expect(search()).rejects.toMatchObject({ code: 'invalid_request' })
  expect(performance.now() - start).toBeLessThan(3000)
})
