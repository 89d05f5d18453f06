import { expect, it } from 'vitest'
import { checkCharacters } from './characters.ts'
import { profileOf } from './profiles.ts'

const check = (text: string, code: string) => checkCharacters(text, code, profileOf(code))

it.each([
  ['de', 'u\u0308ber', /NFC/],
  ['vi', 'Tiê\u0301ng', /NFC/],
  ['de', 'M\uFFFDller', /invisible or broken/],
  ['de', 'Wort\u200Bteil', /U\+200B/],
  ['en', 'a\u202Eb', /U\+202E/],
  ['uk', 'адресы', /another language/],
  ['ru', 'адресі', /another language/],
  ['ar', 'بریک', /another language/],
  ['fa', 'كتابي', /another language/],
  ['ur', 'پتہ ھے ي', /another language/],
  ['my', 'ေမြန္မာ', /Zawgyi/],
  ['zh', '临时郵箱', /traditional: 郵/],
  ['zh-TW', '临時郵箱后', /simplified: 临后/],
  ['ja', '使い捨て邮箱', /not Japanese: 邮/],
])('finds in %s: %s', (code, text, fault) => {
  expect(check(text, code)).toEqual([expect.stringMatching(fault)])
})

it.each([
  ['de', 'Über 20\u00a0Größen'],
  ['vi', 'Tiếng Việt'],
  ['uk', 'ґанок її'],
  ['ru', 'объём'],
  ['ar', 'بريدك المؤقت'],
  ['fa', 'می\u200cشود'],
  ['ur', 'یہ پتا آپ کا ہے'],
  ['my', 'မြန်မာ ခေတ္တ'],
  ['kh', 'អាសយដ្ឋាន\u200Bអ៊ីមែល'],
  ['zh', '临时邮箱，密钥，蜉蝣'],
  ['zh-TW', '臨時信箱，金鑰，蜉蝣'],
  ['ja', '使い捨てメール、鍵'],
])('accepts in %s: %s', (code, text) => {
  expect(check(text, code)).toEqual([])
})
