import { expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import { findLanguages } from './find-languages.ts'

const found = (typed: string, page = 'zh-CN'): string[] => findLanguages(languages, typed, page).map(({ code }) => code)

test.each([
  ['Spanish', ['es']],
  ['spanish ', ['es']],
  ['Espanol', ['es']],
  ['español', ['es']],
  ['ESPAÑOL', ['es']],
  ['Portuguese', ['pt']],
  ['Portugues', ['pt']],
  ['english', ['en']],
  ['Francais', ['fr']],
  ['Turkce', ['tr']],
  ['türkçe', ['tr']],
  ['Tieng Viet', ['vi']],
  ['viet', ['vi']],
  ['Romana', ['ro']],
  ['Melayu', ['ms']],
  ['Bahasa', ['id', 'ms']],
  ['Farsi', ['fa']],
  ['Bengali', ['bn']],
  ['Bangla', ['bn']],
  ['Khmer', ['kh']],
  ['km', ['kh']],
  ['Burmese', ['my']],
  ['Arabic', ['ar']],
  ['한', ['ko']],
  ['हिन्दी', ['hi']],
  ['Рус', ['ru']],
  ['中文', ['zh', 'zh-TW']],
  ['chinese', ['zh', 'zh-TW']],
  ['Traditional Chinese', ['zh-TW']],
  ['Chinese (Simplified)', ['zh']],
  ['繁体中文', ['zh-TW']],
  ['繁體', ['zh-TW']],
  ['简体', ['zh']],
  ['簡體中文', ['zh']],
  ['zh-tw', ['zh-TW']],
  ['Brazilian', ['pt']],
  ['brazil', ['pt']],
  ['Português (Brasil)', ['pt']],
  ['Brazilian Portuguese', ['pt']],
  ['pt-BR', ['pt']],
  ['American', ['en']],
  ['India', ['hi', 'ta', 'te', 'gu']],
  ['Taiwan', ['zh-TW']],
  ['台灣', ['zh-TW']],
  ['中文（台湾）', ['zh-TW']],
  ['中国', ['zh']],
  // No region is meant by the locale of Arabic.
  ['Argentina', []],
  // In the language of the page.
  ['西班牙', ['es']],
  ['qqq', []],
  ['spanish german', []],
  ['panish', []],
  ['   ', []],
  ['(', []],
])('%s', (typed, codes) => expect(found(typed)).toEqual(codes))

test('finds names in the language of the page, however they are typed', () => {
  expect(found('Spanisch', 'de-DE')).toEqual(['es'])
  expect(found('tieng duc', 'vi-VN')).toEqual(['de'])
  expect(found('İngilizce', 'tr-TR')).toEqual(['en'])
  expect(found('ingilizce', 'tr-TR')).toEqual(['en'])
})

test('finds every language by its own name, with and without marks', () => {
  for (const { code, displayName } of languages) {
    expect(found(displayName)).toContain(code)
    expect(found(displayName.normalize('NFD').replaceAll(/[\u0300-\u036F]/g, ''))).toContain(code)
  }
})

test.each(languages)('on a page in $displayName, each code and locale finds its language first', ({ locale }) => {
  for (const { code, tag } of languages) {
    expect(found(code, locale)[0]).toBe(code)
    expect(found(tag.toUpperCase(), locale)[0]).toBe(code)
  }
})

test.each([
  ['a code before names in the language of the page', 'it', 'vi-VN', 'it'],
  ['a name in English before one in the language of the page', 'per', 'ms-MY', 'fa'],
  ['its own name before one in the language of the page', 'tur', 'ha-NG', 'tr'],
  ['the name of a language before one of a region', 'ind', 'en-US', 'id'],
])('finds %s', (_what, typed, page, first) => expect(found(typed, page)[0]).toBe(first))

test('compares vowels, which are marks in the scripts of India, and no marks of vowels in Arabic', () => {
  expect(found('हि')).toContain('hi')
  expect(found('हन')).toEqual([])
  expect(found('তেলু', 'bn-BD')).toEqual(['te'])
  expect(found('তলগ', 'bn-BD')).toEqual([])
  expect(found('العَرَبِيَّة')).toEqual(['ar'])
  expect(found('الاوردية', 'ar-AR')).toEqual(['ur'])
})
