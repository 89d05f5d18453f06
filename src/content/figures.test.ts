import { expect, test } from 'vitest'
import { exampleFigures, type Figures, fillFigures } from './figures.ts'

const figures = { addresses: 1000, ownDomains: null, addressHours: 1, storage: '3 GB', keys: 2 } as Figures
const filled = (text: string, locale = 'de-DE') => fillFigures(text, figures, locale)

test('inserts the figures in the format of the language, and leaves out lines about figures that are null', () =>
  expect(
    filled(
      '- **{addresses} Adressen**, {storage}\n- {ownDomains} Domains\n- {other}\nBis zu {ownDomains}, {storage}\n\nEnde',
    ),
  ).toBe('- **1.000 Adressen**, 3 GB\n- {other}\n\nEnde'))

test('chooses the plural form of the language', () => {
  const text = '{addressHours, plural, one {# час} few {# часа} many {# часов} other {# часа}}'
  expect([1, 2, 5, 1000].map((addressHours) => fillFigures(text, { ...figures, addressHours }, 'ru-RU'))).toEqual([
    '1 час',
    '2 часа',
    '5 часов',
    '1\u00a0000 часов',
  ])
})

test('a branch may have other figures, apostrophes, and the words of their names', () => {
  expect(filled("{addressHours, plural, one {l'heure, {addresses} fois} other {}}", 'fr-FR')).toBe(
    "l'heure, 1\u202f000 fois",
  )
  expect(filled('{keys, plural, one {key} other {keys}} {addresses, plural, one {address} other {addresses}}')).toBe(
    'keys addresses',
  )
})

test('chooses the text of a kind, in which another choice may depend on it', () => {
  const text = 'A.{extraDomains, select, none {} other { Of {extraDomains, select, own {yours} other {{keys} of us}}!}}'
  const of = (extraDomains: Figures['extraDomains']) => fillFigures(text, { ...figures, extraDomains }, 'en-US')
  expect([of('none'), of('own'), of('both')]).toEqual(['A.', 'A. Of yours!', 'A. Of 2 of us!'])
})

test('leaves code with braces of its own alone', () =>
  expect(filled('const { id } = {addresses: 1, plural}')).toBe('const { id } = {addresses: 1, plural}'))

test('throws if a plural is not valid', () => {
  expect(() => filled('{addressHours, plural, one {a}}')).toThrow()
})

test('has an example of each figure in the digits of a language', () => {
  const example = exampleFigures('fa-IR')
  expect(fillFigures('{addressHours} {shortMinutes}, {storage}, {siteUrl}', example, 'fa-IR')).toBe(
    '۱۰۱ ۱۰۲, ۱۵۳, https://site.example',
  )
})
