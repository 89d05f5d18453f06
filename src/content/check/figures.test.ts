import { expect, it } from 'vitest'
import { branchTexts, checkFigures } from './figures.ts'

const HOURS = '{addressHours, plural, one {# hour} other {# hours}}'

it('accepts figures with and without plural, and code with braces of its own', () => {
  expect(
    checkFigures(`For ${HOURS}, {keys} keys, {monthPrice}. \`/v1/{id}\`\n\n\`\`\`js\n{a}\n\`\`\`\n`, 'en-US'),
  ).toEqual([])
})

it.each([
  ['{adressHours}', 'there is no figure {adressHours}'],
  ['{hours, plural, other {#}}', 'there is no figure {hours}'],
  ['{addressHours, plural, one {# hour} other {# hours}', 'the figure {addressHours} is not written as'],
  ['{addressHours, plural, one {# hour}}', '{addressHours} is not a valid ICU message'],
  ['{addressHours, plural, other {# hours}}', '{addressHours}: lacks the branch one'],
  ['{monthPrice, plural, one {#} other {#}}', '{monthPrice} is no number'],
  ['{extraDomains}', '{extraDomains} is not written as'],
  ['{extraDomains, plural, one {#} other {#}}', '{extraDomains} is not written as'],
  ['{extraDomains, select, mine {a} other {b}}', '{extraDomains} is never mine'],
  ['{extraDomains, select, own {a}}', '{extraDomains} is not a valid ICU message'],
  ['{keys, select, own {a} other {b}}', '{keys} is no kind'],
])('finds the fault of %s', (text, fault) => {
  expect(checkFigures(text, 'en-US')).toEqual([expect.stringContaining(fault)])
})

it('demands the plural forms of the language', () => {
  expect(checkFigures(HOURS, 'ru-RU')).toEqual([
    '{addressHours}: lacks the branch many',
    '{addressHours}: lacks the branch few',
  ])
  expect(checkFigures(HOURS, 'ja-JP')).toEqual(['{addressHours}: the language has no branch one'])
})

it('returns each branch', () => expect(branchTexts(HOURS)).toEqual(['\uFFFC hours', '\uFFFC hour']))
