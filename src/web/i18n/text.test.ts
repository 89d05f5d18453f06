import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import compile from 'icu-minify/compile'
import { expect, test } from 'vitest'
import { languages, pathIn } from '#locales/languages.ts'
import en from '../../../locales/en.json' with { type: 'json' }
import zh from '../../../locales/zh.json' with { type: 'json' }
import { languageOf, type Messages, textOf } from './text.tsx'

/** Compiles messages like the build (vite.config.ts). */
const compiled = (texts: Record<string, string>): Messages =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compile(text)])) as Messages
const texts = { en: textOf(compiled(en), languageOf('en')), zh: textOf(compiled(zh), languageOf('zh')) }

test.each([
  [24, 0, '24 hours left', '剩余 24 小时'],
  [1, 1, '1 hour 1 minute left', '剩余 1 小时 1 分钟'],
  [0, 2, '2 minutes left', '剩余 2 分钟'],
])('%i h %i min', (hours, minutes, inEnglish, inChinese) => {
  expect(texts.en('address.left.day', { hours, minutes })).toBe(inEnglish)
  expect(texts.zh('address.left.day', { hours, minutes }).replaceAll(/\s+/g, ' ').trim()).toBe(inChinese)
})

test.each([
  [1, '1 second'],
  [8, '8 seconds'],
])('plurals: %i', (seconds, words) =>
  expect(texts.en('problem.too_many_requests', { seconds })).toContain(`in ${words}.`),
)

test('inserts arguments as plain text', () =>
  expect(texts.en('inbox.new', { sender: '{count}', subject: "<b>'{x}'" })).toBe("New email from {count}: <b>'{x}'"))

test('falls back to the first language for an unknown code', () => expect(languageOf('xx')).toBe(languages[0]))

test.each([
  ['zh', '/', '/'],
  ['zh', '/change', '/change'],
  ['en', '/', '/en'],
  ['en', '/change', '/en/change'],
])('%s %s is at %s', (code, path, at) => expect(pathIn(code, path)).toBe(at))

/** Numbers of names, of a standard, and of the words of a recovery phrase. Those of settings are arguments. */
const WITH_NUMBERS =
  /^(?:footer\.tenMinutes|home\.metaKeywords|deliveries\.deferred\.text|private\.(?:save|saveText|words|lockedText|phrase|lockText))$/

test.each(languages)('no text in $code states a number of a setting', ({ code }) => {
  const path = join(import.meta.dirname, `../../../locales/${code}.json`)
  const all = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>)
  const stated = all.filter(([, text]) => /\p{Nd}{2}/u.test(text.replaceAll(/\{\w+[,}]/g, '')))
  expect(stated.map(([key]) => key).filter((key) => !WITH_NUMBERS.test(key))).toEqual([])
})
