import { expect, test } from 'vitest'
import { candidatesIn, withLetters } from './candidates.ts'

test.each([
  ['รหัสของคุณคือ482913', ['482913']],
  ['您的验证码是482913。', ['482913']],
  ['Der Code ist aBc123x', ['aBc123x']],
  ['Your code: ab12cd', ['ab12cd']],
  ['Your code: X7K-9QP', ['X7K-9QP']],
  ['Your code: pearl-drift-sand', ['pearl-drift-sand']],
  ['קוד: תפוח-ענן-שולחן', ['תפוח-ענן-שולחן']],
  ['Ваш код: ключ-4821-дом', ['ключ-4821-дом']],
  ['Your code: Z 7 K 9', ['Z7K9']],
  ['Your code: KQWZT', ['KQWZT']],
  ['Your code: DKPV', ['DKPV']],
  ['Your code: WXQR-TZ', ['WXQR-TZ']],
  ['Your code: W2F7-KM', ['W2F7-KM']],
  ['h 5 d 2 z 3', ['h5d2z3']],
  ['Your code: KXQ 7M2', ['KXQ7M2']],
  ['Your code: 7M2 KXQ', ['7M2KXQ']],
  ['Your code: 482 7M2', ['4827M2']],
  ['from EUR 5K0', []],
  // A Turkish suffix.
  ["Giriş kodunuz 604218'dir.", ['604218']],
  ["the KQWZT's end", []],
  // A prefix of one letter, or before many digits, names the sender. Others are typed.
  ['Your code: G-604218', ['604218']],
  ['Your code: FB-60421', ['60421']],
  ['Your code: KQ-7731', ['KQ-7731']],
  ['nothing here but words, 12 of them', []],
  ['on 2026-03-12 at 14:30', []],
])('candidates of: %s', (line, values) =>
  expect(
    candidatesIn(line)
      .filter(({ flaw }) => !flaw)
      .map(({ value }) => value),
  ).toEqual(values),
)

test.each([
  ['tqkwzp', ['tqkwzp']],
  ['Enter these letters: rpzhql', ['rpzhql']],
  ['Kirjoita ruutuun - mbxqre', ['mbxqre']],
  ['Gõ mdrhxv vào ô', ['mdrhxv']],
  ['Tippe “tqkwze” ein', ['tqkwze']],
  ['Enter this: welcome', []],
  ['der Strumpf mit schrift', []],
  ['mail to tqkwzp@lumo.example or https://lumo.example/tqkwzp', []],
])('random letters in: %s', (line, values) =>
  expect(withLetters(candidatesIn(line), line).map(({ value }) => value)).toEqual(values),
)
