import { expect, test } from 'vitest'
import { textPattern } from '#mail/text-pattern.ts'
import { wordPattern } from './search-pattern.ts'
import { folded } from './search.ts'

const finds = (word: string, text: string): boolean => textPattern(wordPattern(folded(word)))(text)

test.each([
  ['invoice', 'Your INVOICE of June'],
  ['cafe', 'Das Café'],
  ['café', 'das CAFE'],
  ['phở', 'Pho'],
  ['uong', 'Ương'],
  ['straße', 'Hauptstraße 1'],
  ['strasse', 'Hauptstraße 1'],
  ['straße', 'HAUPTSTRASSE 1'],
  ['kapı', 'kapı'],
  ['йога', 'Иога'],
  ['λογαριασμός', 'ΛΟΓΑΡΙΑΣΜΟΣ'],
  ['한국', '대한국어'],
  ['がく', 'がくせい'],
  ['验证码', '您的验证码是'],
  ['/usr/lib/', 'see /usr/lib/x'],
  ['a.b*c', 'a.b*c'],
  ['R&D', '<div>our R&amp;D team</div>'],
  ['word', 'if a < b then word'],
  ['word', 'see <https://example.org/word> there'],
  ['word', 'first\n> word'],
  ['word', '<style>p{color:red}</style><div><p style="border:0">a <b>word</b></p></div>'],
  ['word', '<table>word</table>'],
  ['e'.repeat(300), 'e'.repeat(60)],
])('%s is found in %s', (word, text) => expect(finds(word, text)).toBe(true))

test.each([
  ['a.b', 'axb'],
  ['mase', 'Maß'],
  ['order', '<div><p style="border:0">a</p></div>'],
  ['table', '<table>a</table>'],
  ['color', '<style>p{color:red}</style><div>a</div>'],
])('%s is not found in %s', (word, text) => expect(finds(word, text)).toBe(false))

test.each([
  'internationalization',
  '"&'.repeat(200),
  'ß'.repeat(200),
  '😀'.repeat(100),
  'é'.repeat(100),
  '/'.repeat(99),
])('the API takes the pattern of %s', (word) => {
  expect(wordPattern(folded(word)).length).toBeLessThanOrEqual(200)
  expect(() => finds(word, '')).not.toThrow()
})
