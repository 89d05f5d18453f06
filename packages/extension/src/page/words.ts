/** Words in the names and labels of form fields, in the languages of the extension. They match lower case in NFC. */

import { OTHER, UNSENT } from './other.ts'
import { anyOf, clausesOf, END, START, word } from './patterns.ts'
import { isKnown, isProof, isSecret, isSent, ONE_TIME, OTP, PROOF, PURPOSE } from './purpose.ts'
import { isSearch } from './search.ts'

/** Postal codes and addresses have the same stem in some languages. */
export const EMAIL = anyOf(
  String.raw`e-?mail(?!ed)|courriel|correo|sähköposti|posta elettronica|mailadres|poczt(?!ow)|почт(?!ов)|почтов\p{L}{0,4} ящик|пошт(?!ов)`,
  String.raw`поштов\p{L}{0,4} скриньк|邮箱|邮件|郵箱|郵件|信箱|メール|이메일|메일|ईमेल|البريد(?!ي)|بريد(?:ك|كم|ي|نا) الإلكتروني|ایمیل|ای میل|ইমেইল|ইমেল|மின்னஞ்சல்?`,
  'ఇమెయిల్|ઇમેઇલ|ઈમેલ|อีเมล|barua pepe|imel|e-mel|surel|အီးမေးလ်|អ៊ីមែល|ኢሜይል|ኢሜል',
  String.raw`پست الکترونیک|${START}(?:din )?e[-‑ ]?post(?:a(?!l|dr))?(?!al|er)`,
  word('mails?'),
  '(?:adresse|dirección|indirizzo|endereço) (?:électronique|electrónica|elettronico|eletrônico|elektronisch)',
  'elektronische adresse|adres elektroniczny|электронный адрес|електронна адреса|elektronik adres',
)

/** A postal code in India, elsewhere one that the visitor has or gets. */
const PIN_CODE = String.raw`${START}pin.?[ck]ode`

/** Names of a code. */
const CODES = [
  OTP,
  PIN_CODE,
  ONE_TIME,
  word('code', 'codes', 'pin', 'cod', 'codul', 'mã'),
  String.raw`${START}(?:kod\p{L}{0,4}|kód\p{L}{0,3})${END}`,
  '(?:pass|check).?code|2fa|mfa|totp|token|código|codigo|codice|код|验证码|驗證碼|校验码|确认码|动态码|動態碼|动态密码',
  '確認碼|確認コード|確認番号|認証番号|コード|인증 ?번호|코드|कोड|رمز|كود|کد|کوڈ|কোড|குறியீடு|కోడ్|કોડ|รหัส(?!ผ่าน)|msimbo|ကုဒ်|កូដ|ኮድ',
  'lambar (?:tabbat|sirri|tsaro|shiga)',
]
const CODE = anyOf(...CODES, 'verif|認証|인증')
/**
 * Names of a code beside its purpose or a word for email: then compounds are names too, such as `Anmeldecode`, but "verify"
 * alone may speak of the address.
 */
export const NOUN = anyOf(
  ...CODES,
  String.raw`(?:code|kode?n?|kód|koodi)\p{L}{0,2}${END}`,
  word('tan'),
  String.raw`\d[ -]?(?:digit|stellig|chiffres|cifr[ea]s?|dígitos|cijfer|cyfr|цифр|haneli|位|桁|자리)`,
  // An example.
  String.raw`^[\d ]{4,9}$`,
)

const ONLY_PIN_CODE = anyOf(PIN_CODE)

/** Characters of a field's words that are read. Longer labels are whole paragraphs. */
const READ = 400
export const cut = (words: string): string => words.slice(0, READ)

/** In lower case, the Turkish `İ` is two characters. */
const lower = (words: string): string => cut(words).toLowerCase().normalize('NFC').replaceAll('i\u0307', 'i')

/** In lower case, with `userCode` as `user code`. */
export const plain = (words: string): string => lower(cut(words).replaceAll(/(?<=\p{Ll})(?=\p{Lu})(?!Mail)/gu, ' '))

/** Whether a field with these words asks for an email address. */
export const namesEmail = (words: string): boolean => EMAIL.test(lower(words))

/** Whether a text names a code that is not for proving who somebody is. */
export const namesOther = (text: string): boolean => OTHER.test(plain(text))

/** Whether a text names a secret that the visitor knows: a PIN, a password, or a code that proves nothing. */
export function namesSecret(words: string): boolean {
  const text = plain(words)
  return isSecret(text) || (namesCode(text) && !isProof(text))
}

export const namesCode = (text: string): boolean => NOUN.test(text)

/** Whether a code is never sent. In Chinese forms, `captcha` is also the name of a code that comes by email. */
function isUnsent(clauses: string[]): boolean {
  const isByEmail = clauses.some((each) => EMAIL.test(each) && NOUN.test(each) && !UNSENT.test(each))
  return !isByEmail && clauses.some((each) => UNSENT.test(each) && !EMAIL.test(each) && !isSent(each))
}

/** A short label: at most so many words say what a code is of. */
const SHORT = 4
const CODE_OF = new RegExp(
  `${START}(?:codes?|código|codigo|codice|cod|codul) (?:(?:of|de|del|della|di|da|do|du|des) |d[’'])`,
  'u',
)

/**
 * Whether a short label names a code by what it is of, and that is no known purpose: "Tracking code", "Code de suivi".
 * There is no end of such codes.
 */
function isOfSomething(clause: string): boolean {
  const words = clause.trim().split(/[\s’']+/u)
  if (words.length > SHORT) return false
  const code = words.findIndex((each) => /^codes?$/iu.test(each))
  const before = words[code - 1]
  // A name: "Enter the Acme code".
  const isName = code > 1 && /^\p{Lu}/u.test(before ?? '') && words[code]?.startsWith('c')
  if (before !== undefined && !isName && !says(before)) return true
  const text = lower(clause)
  const of = CODE_OF.exec(text)
  if (!of) return false
  const after = text.slice(of.index + of[0].length)
  return /\p{L}/u.test(after) && !says(after)
}
const says = (words: string): boolean => isKnown(lower(words)) || EMAIL.test(lower(words))

/**
 * How sure it is that a field with these words asks for a one-time code: 0 if it does not, 1 if they also speak of
 * something else, 2 if they name some code, 3 if they say what it is for.
 */
export function codeScoreOf(words: string): number {
  const text = plain(words)
  if (text.split('\n').some(isSearch)) return 0
  const isOfEmail = EMAIL.test(text)
  if (!(isOfEmail || PURPOSE.test(text) ? NOUN : CODE).test(text) || isUnsent(clausesOf(text))) return 0
  // Coupons are sent by email too.
  if (OTHER.test(text) || clausesOf(words).some(isOfSomething))
    return (isOfEmail ? PROOF.test(text) : isProof(text)) ? 1 : 0
  if (isProof(text)) return 3
  return ONLY_PIN_CODE.test(text) ? 1 : 2
}
