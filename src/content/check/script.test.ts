import { expect, it } from 'vitest'
import { profileOf } from './profiles.ts'
import { checkLetters, checkNeeds, checkScript } from './script.ts'

it.each([
  ['de', 'Die Аdresse', 'Аdresse'],
  ['de', 'Adresă', 'Adresă'],
  ['ro', 'adreşa', 'adreşa'],
  ['ru', 'адpес', 'адpес'],
  ['ko', '메일 郵便', '郵便'],
  ['zh', '邮箱の', '邮箱の'],
  ['hi', 'पता адрес', 'адрес'],
  ['pl', 'löschen', 'löschen'],
  ['tr', 'İlkə', 'İlkə'],
  ['de', 'İletişim', 'İletişim'],
])('finds a letter of another alphabet in %s: %s', (code, text, word) => {
  expect(checkLetters(text, profileOf(code))).toEqual([expect.stringContaining(`another alphabet: ${word} in`)])
})

it.each([
  ['de', 'Größe, Café'],
  ['ro', 'adresă și țară'],
  ['tr', 'İletişim, İSTEDİĞİNİZ, ILIK, ışık'],
  ['ru', 'адрес в Mayfly'],
  ['ja', '一時的なメールアドレス、API'],
  ['hi', 'अस्थायी पता, Mayfly'],
  ['vi', 'Địa chỉ thư tạm thời'],
])('accepts in %s: %s', (code, text) => {
  expect(checkLetters(text, profileOf(code))).toEqual([])
})

it('measures the share of letters in the script of the language, without names', () => {
  expect(checkScript('अस्थायी पता Mayfly API SMTP', profileOf('hi'))).toEqual([])
  expect(checkScript('अस्थायी temporary address', profileOf('hi'))).toEqual([expect.stringMatching(/only \d+ %/)])
  expect(checkScript('anything', profileOf('de'))).toEqual([])
})

it('finds that required letters are missing', () => {
  expect(checkNeeds('gida da ɓangare da ɗaya da ƙofa', profileOf('ha'))).toEqual([])
  expect(checkNeeds('gida da bangare da daya', profileOf('ha'))).toEqual(['never uses the letters ɓ ɗ ƙ'])
})
