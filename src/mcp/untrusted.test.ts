import { describe, expect, test } from 'vitest'
import type { Message } from '#client/index.ts'
import { shown } from './untrusted.ts'

const message = (rest: Partial<Message>): Message =>
  ({
    id: 'x',
    from: { name: '', address: 'shop@example.org' },
    to: 'velvet.otter47@mayfly.test',
    subject: 'Welcome',
    receivedAt: '2030-01-01T00:00:00.000Z',
    code: null,
    link: null,
    text: '',
    html: null,
    truncated: false,
    attachments: [],
    ...rest,
  }) as Message

test('a code and a link have no hidden characters', () => {
  const { code, link } = shown(message({ code: '48\u200B29\u202E13', link: 'https://shop.example/\u{E0041}confirm' }))
  expect([code, link]).toEqual(['482913', 'https://shop.example/confirm'])
})

describe('a long text', () => {
  test.each([
    [20_000, 0, false],
    [20_001, 0, true],
    [19_998, 1, false],
    [19_999, 1, true],
    [20_000, 2, true],
  ])('of %i letters and %i bees is cut off between two characters: %s', (letters, bees, truncated) => {
    const text = 'x'.repeat(letters) + '🐝'.repeat(bees)
    const cut = shown(message({ text }))
    expect([cut.truncated, cut.text.isWellFormed(), text.startsWith(cut.text)]).toEqual([truncated, true, true])
    expect(cut.text.length).toBe(truncated ? Math.min(20_000, letters) : text.length)
  })
})
