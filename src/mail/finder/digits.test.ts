import { expect, test } from 'vitest'
import { plain } from './digits.ts'

test.each([
  // Arabic, Persian, Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada, Malayalam, Sinhala.
  '٤٨٢٩١٣ ۴۸۲۹۱۳ ४८२९१३ ৪৮২৯১৩ ੪੮੨੯੧੩ ૪૮૨૯૧૩ ୪୮୨୯୧୩ ௪௮௨௯௧௩ ౪౮౨౯౧౩ ೪೮೨೯೧೩ ൪൮൨൯൧൩ ෪෮෨෯෧෩',
  // Thai, Lao, Tibetan, Myanmar, Khmer, Mongolian, full width, four of the five mathematical runs.
  '๔๘๒๙๑๓ ໔໘໒໙໑໓ ༤༨༢༩༡༣ ၄၈၂၉၁၃ ៤៨២៩១៣ ᠔᠘᠒᠙᠑᠓ ４８２９１３ 𝟒𝟖𝟐𝟗𝟏𝟑 𝟜𝟠𝟚𝟡𝟙𝟛 𝟦𝟪𝟤𝟫𝟣𝟥 𝟺𝟾𝟸𝟿𝟷𝟹',
  '4️⃣8️⃣2️⃣9️⃣1️⃣3️⃣ 4⃣8⃣2⃣9⃣1⃣3⃣',
])('converts the digits of %s', (text) => expect(new Set(plain(text).split(' '))).toEqual(new Set(['482913'])))

test.each(['482‐913', '482‑913', '482‒913', '482–913', '482—913', '482−913', '４８２－９１３', '482﹣913'])(
  'converts the dash of %s to a hyphen',
  (text) => expect(plain(text)).toBe('482-913'),
)

test.each([
  'Monday – Friday',
  'well‑known',
  '482 – 913',
  '482913—Enter',
  '482913–A',
  '9–17',
  '2024–2025',
  'pages 10–120',
  '−5',
  'a—b',
  '•',
])('leaves %s', (text) => expect(plain(text)).toBe(text))
