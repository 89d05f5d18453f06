import { expect, it } from 'vitest'
import { profileOf } from './profiles.ts'
import { checkMixedQuotes, checkQuotes } from './quotes.ts'

it.each([
  ['de', 'Klicken Sie auf "Kopieren"'],
  ['de', 'Klicken Sie auf “Kopieren”'],
  ['ja', '“コピー”を押す'],
  ['ru', 'Нажмите “Копировать”'],
  ['de', 'Klicken Sie auf „Kopieren'],
  ['fr', '«\u00a0Copier'],
])('finds in %s: %s', (code, text) => {
  expect(checkQuotes(text, profileOf(code)).length).toBeGreaterThan(0)
})

it.each([
  ['de', '„Kopieren“ und „Löschen“'],
  ['fr', '«\u00a0Copier\u00a0», l’adresse'],
  ['zh-TW', '按「複製」'],
  ['en', 'Press “Copy”, don’t wait'],
])('accepts in %s: %s', (code, text) => {
  expect(checkQuotes(text, profileOf(code))).toEqual([])
})

it('finds texts with other quotation marks than most', () => {
  const passages = ['«uno»', '«dos “dentro”»', '“tres”'].map((text, i) => ({ where: String(i), text }))
  expect(checkMixedQuotes(passages, profileOf('es'))).toEqual([
    { where: '2', what: 'has “” where most texts have «»: "“tres”"' },
  ])
})
