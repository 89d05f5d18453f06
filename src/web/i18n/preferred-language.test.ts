import { expect, test } from 'vitest'
import { codeOf, preferredLanguage } from './preferred-language.ts'

test.each([
  ['en-GB', 'en'],
  ['de', 'de'],
  ['pt-PT', 'pt'],
  ['km', 'kh'],
  ['zh', 'zh'],
  ['zh-CN', 'zh'],
  ['zh-Hant', 'zh-TW'],
  ['zh-HK', 'zh-TW'],
  ['tlh', undefined],
  ['en-US@posix', undefined],
  ['', undefined],
])('%s is %s', (tag, code) => expect(codeOf(tag)).toBe(code))

test.each([
  ['', ['tlh', 'de-AT', 'en'], 'de'],
  ['', ['tlh'], undefined],
  ['a=b; mayfly_locale=fr', ['de'], 'fr'],
  ['mayfly_locale=xx', ['de'], 'de'],
  ['not_mayfly_locale=fr', ['de'], 'de'],
])('cookie "%s" and %j: %s', (cookie, tags, code) => expect(preferredLanguage(cookie, tags)).toBe(code))
