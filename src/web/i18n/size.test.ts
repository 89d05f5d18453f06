import { expect, test } from 'vitest'
import { sizeText } from './size.ts'

const KB = 1024

test.each([
  [0, '0 byte'],
  [1023, '1,023 byte'],
  [KB, '1 kB'],
  [1.5 * KB, '1.5 kB'],
  [KB ** 2 - 60 * KB, '964 kB'],
  [KB ** 2 - 1, '1 MB'],
  [KB ** 3 - KB, '1 GB'],
  [5000 * KB ** 3, '5,000 GB'],
])('%i bytes: %s', (bytes, words) => expect(sizeText(bytes, 'en')).toBe(words))
