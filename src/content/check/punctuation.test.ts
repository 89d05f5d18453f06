import { expect, it } from 'vitest'
import { checkPunctuation } from './punctuation.ts'

it.each([
  ['de', 'Einen Moment...'],
  ['de', 'zwei  Wörter'],
  ['fr', "l'adresse"],
  ['de', 'Wort , Wort'],
  ['fr', 'Pourquoi?'],
  ['fr', 'Pourquoi ?'],
  ['fr', 'Attention : ici'],
  ['fr', '«Copier»'],
  ['zh', '邮箱,地址'],
  ['zh', '邮箱(临时)'],
  ['ja', 'メール.'],
  ['zh-TW', '信箱:地址'],
  ['ko', '메일。'],
  ['ar', 'بريد, عنوان'],
  ['fa', 'چرا?'],
  ['ar', 'يبدأ بـ https:// وأن'],
  ['fa', 'با /api/ شروع'],
  ['ur', 'C++ میں'],
  ['ur', 'یہ پتا ہے.'],
  ['hi', 'यह पता है.'],
  ['bn', 'এটি ঠিকানা.'],
  ['my', 'လိပ်စာ.'],
  ['am', 'አድራሻ.'],
  ['kh', 'អាសយដ្ឋាន.'],
  ['es', 'Por qué?'],
])('finds in %s: %s', (code, text) => {
  expect(checkPunctuation(text, code)).toHaveLength(1)
})

it.each([
  ['de', 'Einen Moment …'],
  ['fr', 'Pourquoi\u202f? L’heure\u00a0: 10:30, «\u00a0Copier\u00a0»\u202f!'],
  ['zh', '邮箱（临时），3.1 版，Node.js：好。'],
  ['ja', 'メール（一時）、OpenAPI 3.1の(b)項。'],
  ['ar', 'بريد، عنوان؟ SPF, DKIM.'],
  ['ar', 'يبدأ بـ \u2066https://\u2069 وأن Premium: https://example.com/api و SPF/DKIM'],
  ['fa', 'با \u2066/api/\u2069 شروع'],
  ['hi', 'यह 3.1 है। क्या?'],
  ['am', 'እ.ኤ.አ. 2026 ነው።'],
  ['es', '¿Por qué? ¡Bien!'],
])('accepts in %s: %s', (code, text) => {
  expect(checkPunctuation(text, code)).toEqual([])
})
