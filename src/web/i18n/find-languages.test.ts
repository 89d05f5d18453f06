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

test('finds every language by its own name, with and without marks, and by its code', () => {
  for (const { code, displayName } of languages) {
    expect(found(displayName)).toContain(code)
    expect(found(displayName.normalize('NFD').replaceAll(/\p{M}/gu, ''))).toContain(code)
    expect(found(code)).toContain(code)
  }
})
