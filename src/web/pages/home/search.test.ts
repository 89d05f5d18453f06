import { expect, test } from 'vitest'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { searchWords } from '#core/text.ts'
import { type Kind, matches as matchesWords } from './search.ts'

const message = {
  from: { name: 'Café Zürich', address: 'bar@cafe.example' },
  subject: 'Your code',
  preview: 'Enter 123456 to go on, ΛΟΓΑΡΙΑΣΜΟΣ',
  seen: false,
  code: '123456',
  link: null,
  candidates: [],
  attachments: [{ filename: 'menu.pdf' }],
} as unknown as MessageSummaryJson
const matches = (listed: MessageSummaryJson, query: string, kinds: ReadonlySet<Kind>, words = ''): boolean =>
  matchesWords(listed, searchWords(query), kinds, () => (word) => words.split(' ').includes(word))
const read = { ...message, seen: true, code: null, attachments: [] } as MessageSummaryJson

test.each([
  ['', true],
  ['cafe zurich', true],
  ['CODE', true],
  ['bar@cafe', true],
  ['code enter', true],
  ['1234', true],
  ['menu.pdf', true],
  ['ΛΟΓΑΡΙΑΣ', true],
  ['code tea', false],
])('the words "%s" match: %s', (query, expected) => expect(matches(message, query, new Set())).toBe(expected))

test.each([
  [[], true, true],
  [['code'], true, false],
  [['unread'], true, false],
  [['attachment'], true, false],
  [['code', 'unread'], true, false],
] as [Kind[], boolean, boolean][])('the filters %j match: %s, %s', (kinds, first, second) =>
  expect([matches(message, '', new Set(kinds)), matches(read, '', new Set(kinds))]).toEqual([first, second]),
)

test.each([
  ['code', '445566', 0.25, true],
  ['link', 'https://long.example/confirm', 0.9, true],
  ['code', '445566', 0.24, false],
] as const)(
  'a probable %s "%s" with confidence %s, which the row offers, is one: %s',
  (kind, value, confidence, found) => {
    const probable = { ...read, candidates: [{ kind, value, confidence }] } as unknown as MessageSummaryJson
    expect(matches(probable, '', new Set(['code']))).toBe(found)
    expect(matches(probable, '445566', new Set())).toBe(found && kind === 'code')
  },
)

test('each word is in the row or in the text', () => {
  expect(matches(message, 'café teapot', new Set(), 'TEAPOT')).toBe(true)
  expect(matches(message, 'café teapot cup', new Set(), 'TEAPOT')).toBe(false)
  expect(matches(read, 'teapot', new Set(['unread']), 'TEAPOT')).toBe(false)
})
