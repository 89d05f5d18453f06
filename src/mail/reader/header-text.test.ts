import { expect, test } from 'vitest'
import { clean } from './header-text.ts'

test.each(['👩🏽‍💻', '👩‍👩‍👧', '❤️‍🔥', 'می‌خواهم', 'क्‍ष'])('keeps the joiners of %s', (text) => expect(clean(text)).toBe(text))

test.each([
  ['a \u200D\u200C b', 'a b'],
  ['1\u200D2', '12'],
  ['🏽\u200D.', '🏽.'],
])('removes joiners that join nothing: %j', (text, expected) => expect(clean(text)).toBe(expected))
