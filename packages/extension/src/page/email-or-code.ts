/** Decides about fields whose words speak of an email address and of a code, such as "Email verification code". */

import { anyOf, EMAIL, isProof, namesCode, NOUN, OTHER, plain, PROOF, word } from './words.ts'

/** Ends of what a field asks for. What follows explains it: "Email (we send a code)", "Code – check your email". */
const CLAUSE_END = /[()[\]（）【】.,:;!?。，、：；！？।۔،؛؟።፣፡၊။|\n]|\s[-–—]\s/u

/** "Email or member code" takes an address. */
const OR = anyOf(
  word('or', 'oder', 'o', 'ou', 'of', 'lub', 'albo', 'или'),
  word('або', 'чи', 'sau', 'veya', 'ya da', 'atau', 'hoặc', 'au', 'ko'),
  word('या', 'অথবা', 'বা', 'یا', 'અથવા', 'அல்லது', 'లేదా', 'أو', 'ወይም'),
  '/|หรือ|သို့မဟုတ်|ឬ|或|または|もしくは|또는|이나',
)

/** Words for what happens once the address is entered: "Enter your email to get a code". */
const LATER = anyOf(
  word('get', 'receive', 'we.ll', 'will', 'erhalten'),
  word('wir senden', 'senden wir', 'recevoir', 'recibir', 'receber', 'ricevere'),
  word('te ontvangen', 'we sturen', 'sturen we', 'otrzymać', 'wyślemy', 'получить', 'получения', 'отправим', 'вышлем'),
  word('отримати', 'отримання', 'надішлемо', 'primi', 'menerima', 'mendapatkan', 'akan'),
  'enverrons|enviaremos|invieremo|trimitem|để nhận|sẽ gửi|เพื่อรับ|จะส่ง|获取|獲取|取得|دریافت|خواهیم|لتلقي|لاستلام|للحصول|سنرسل',
  'kupokea|kupata|tutatuma|don samun|za mu aika|ដើម្បីទទួល|នឹងផ្ញើ',
)
/** The same in languages whose verb is behind: the code may come before the email. */
const LATER_BEHIND = anyOf(
  word('almak', 'göndereceğiz', 'பெற'),
  '受け取る|送信します|お送りします|받을|받으려면|보내 ?드립|보낼|प्राप्त करने|भेजेंगे|পেতে|পাঠাব|حاصل کرنے|بھیجیں گے|મેળવવા|મોકલીશું|அனுப்புவோம்',
  'పొందడానికి|పంపుతాము|ለመቀበል|ለማግኘት|እንልካለን|ရယူရန်|ရရှိရန်|ပို့ပါမည်',
)

/** What a text asks for, and how clearly it says so, from 0 to 2. */
interface Sense {
  isCode: boolean
  clarity: number
}

/** Whether a clause that names both asks for the code: "Email code", "The code in your email". */
function asksForCode(clause: string): boolean {
  const [email, code] = [clause.search(EMAIL), clause.search(NOUN)]
  // A coupon may be sent by email, but one that is sent proves nothing.
  if (OTHER.test(clause) && !PROOF.test(clause)) return code < email
  const between = clause.slice(Math.min(email, code), Math.max(email, code))
  if (OR.test(between) && !isProof(clause)) return false
  return !LATER_BEHIND.test(clause) && (code < email || !LATER.test(clause))
}

function senseOf(clause: string, isFirst: boolean): Sense | undefined {
  const [hasEmail, hasCode] = [EMAIL.test(clause), namesCode(clause)]
  if (hasEmail && hasCode) return { isCode: asksForCode(clause), clarity: 1 }
  // "Confirm your email" may be the title of a field for a code.
  if (hasEmail) return { isCode: false, clarity: isProof(clause) ? 0 : 2 }
  if (!hasCode || LATER.test(clause) || LATER_BEHIND.test(clause)) return undefined
  return { isCode: true, clarity: isFirst ? 2 : 1 }
}

/**
 * Whether a field asks for a code, given its texts and then its names, the most telling first. Only for fields whose
 * words name an email address.
 */
export function isForCode(texts: readonly string[]): boolean {
  const senses = texts.flatMap((text) => {
    const clauses = plain(text)
      .split(CLAUSE_END)
      .filter((clause) => clause.trim())
    return clauses.flatMap((clause, i) => senseOf(clause, i === 0) ?? [])
  })
  return senses.toSorted((a, b) => b.clarity - a.clarity)[0]?.isCode ?? false
}
