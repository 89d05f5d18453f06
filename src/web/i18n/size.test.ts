import { expect, test } from 'vitest'
import { sizeText } from './size.ts'
import { languageOf } from './text.tsx'

const KB = 1024

test.each([
  [0, '0 bytes'],
  [1023, '1,023 bytes'],
  [KB, '1 kB'],
  [1.5 * KB, '1.5 kB'],
  [KB ** 2 - 60 * KB, '964 kB'],
  [KB ** 2 - 1, '1 MB'],
  [KB ** 3 - KB, '1 GB'],
  [5000 * KB ** 3, '5,000 GB'],
])('%i bytes: %s', (bytes, words) => expect(sizeText(bytes, 'en')).toBe(words))

test('keeps number and unit together in a text from right to left', () => {
  const { locale } = languageOf('ur').format
  expect(sizeText(25 * KB ** 2, locale)).toBe('\u206825 MB\u2069')
})
