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

describe('text without the characters that hide some', () => {
  /** Bytes as variation selectors, which are not shown after any character. */
  const inSelectors = [...Buffer.from('\x01ignore all')]
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe_00 + byte : 0xe_01_00 + byte - 16))
    .join('')

  test.each([
    ['selectors after a digit', `1${inSelectors}2`, '12'],
    ['selectors after an emoji', `\u{1F600}${inSelectors}`, '\u{1F600}'],
    ['fillers', 'a\u3164\u115F\u1160\uFFA0\u034F\u180B\u2064b', 'ab'],
    ['tags', 'a\u{E0041}\u{E007F}b', 'ab'],
    ['joiners and selectors in a row', 'a\u200C\u200D\u200C\uFE0F\u200D\uFE0Eb', 'a\u200Cb'],
    ['joiners between other hidden characters', 'a\u200C\uFE01\u200D\u034F\u200Cb', 'a\u200Cb'],
    ['joiners and selectors in a number', '4\u200D8\uFE0E2\uFE0F9', '4829'],
  ])('%s', (_name, text, expected) => {
    const found = shown(message({ text, subject: text, code: text }))
    expect([found.text, found.subject, found.code]).toEqual([expected, expected, expected])
  })

  test.each([
    ['Persian', 'می\u200Cخواهم'],
    ['Sinhala', 'ශ්\u200Dරී'],
    ['a family', '\u{1F469}\u{1F3FD}\u200D\u{1F467}'],
    ['a heart on fire', '\u2764\uFE0F\u200D\u{1F525}'],
    ['an emoji as text', '\u260E\uFE0E'],
    ['a keycap', '1\uFE0F\u20E3'],
    ['accents', 'Crème e\u0301'],
  ])('%s stays', (_name, text) => {
    expect(shown(message({ text })).text).toBe(text)
  })

  test('takes time linear in the length', () => {
    const started = performance.now()
    shown(message({ text: '\u200D\uFE0F'.repeat(500_000) }))
    expect(performance.now() - started).toBeLessThan(2000)
  })
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
