import { expect, test } from 'vitest'
import { failedDelivery, type FailedDelivery } from '#core/mailbox/delivery.ts'
import { type EndedWait, explainWait } from './wait-explanation.ts'

const NOW = Date.UTC(2026, 0, 1)
const MINUTES = 60_000
const explain = (ended: Partial<EndedWait>): string =>
  explainWait({
    messages: [],
    next: null,
    unmet: [],
    refused: [],
    seconds: 5,
    count: 1,
    expiresAt: NOW + 60 * MINUTES,
    now: NOW,
    ...ended,
  })
const attempt = (fields: Partial<FailedDelivery>) =>
  failedDelivery({
    at: NOW,
    firstAt: NOW,
    count: 1,
    result: 'refused',
    reply: '550 5.7.1 No',
    origin: { server: { name: 'mail.shop.example', network: '192.0.2.0/24' }, senderDomain: 'shop.example' },
    size: null,
    ...fields,
  })

test('says that nothing came', () =>
  expect(explain({})).toBe('No matching message arrived within 5 s. The inbox has no other messages in this range.'))

test('says that older messages were not searched', () =>
  expect(explain({ next: '01k0' })).toContain('Older messages were not searched; pass `next` as `before`'))

test.each([
  [{}, 'An email from shop.example was refused with `550 5.7.1 No`.'],
  [
    { result: 'too-large' as const, reply: '552 5.3.4 Message too big' },
    'was refused with `552 5.3.4 Message too big`.',
  ],
  [
    { result: 'full' as const, reply: '452 4.2.2 Mailbox full', count: 3 },
    'was deferred with `452 4.2.2 Mailbox full` (3 times).',
  ],
  [{ result: 'interrupted' as const, reply: null }, 'An email from shop.example was interrupted.'],
  [
    { result: 'unsent' as const, reply: null, origin: null },
    'An email from an unknown sender was announced but not sent.',
  ],
])('says what became of %o', (fields, text) => expect(explain({ refused: [attempt(fields)] })).toContain(text))

test('names three attempts and counts the others', () => {
  const text = explain({ refused: Array.from({ length: 5 }, () => attempt({})) })
  expect(text.match(/An email from/g)).toHaveLength(3)
  expect(text).toContain('2 more were not accepted.')
})

test.each([
  [5 * MINUTES - 1, true],
  [5 * MINUTES, false],
])('an address with %i ms left is about to expire: %s', (left, soon) =>
  expect(explain({ expiresAt: NOW + left }).includes('The address expires in 300 s.')).toBe(soon),
)
