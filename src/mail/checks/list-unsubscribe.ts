import type { BulkSign, ListUnsubscribeCheck } from '#core/mailbox/checks.ts'
import type { MessageLink } from '#core/mailbox/message.ts'
import type { Email } from '../reader/parse.ts'
import { isOneClick, isSigned, listUrlsOf, valuesOf } from '../reader/unsubscribe.ts'

/** Words for leaving a list, in a URL or in the text of a link. */
const UNSUBSCRIBE =
  /unsubscrib|opt[-_ ]?out|abmeld|abbestell|d[ée]sabonn|d[ée]sinscri|darse de baja|cancelar (?:la )?suscripci|(?:cancelar|anular) (?:a )?(?:inscri|subscri|assinatur)|descadastr|disiscri|annulla l.iscrizione|uitschrijven|afmelden|wypisz|отпи[сш]|відпи[сш]|avsluta prenum|afmeld|dezabon|odhl[áa]sit|leiratkoz|abonelikten|h[ủu]y đăng k[ýy]|berhenti (?:ber)?langgan|nyahlanggan|退订|退訂|取消订阅|取消訂閱|配信停止|購読(?:解除|停止)|수신 ?거부|구독 ?(?:취소|해지)|إلغاء الاشتراك|لغو اشتراک|ยกเลิกการ(?:รับ|สมัคร)|सदस्यता (?:समाप्त|रद्द)/iu
const MAX_URLS = 10

export const isUnsubscribeLink = ({ url, text }: MessageLink): boolean =>
  UNSUBSCRIBE.test(text) || UNSUBSCRIBE.test(decoded(url))

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** Reads List-Unsubscribe (RFC 2369, RFC 8058), and the signs that the message is one of many. */
export function listUnsubscribeOf(mail: Email, links: readonly { role: unknown }[]): ListUnsubscribeCheck {
  const present = valuesOf(mail, 'list-unsubscribe').length > 0
  const urls = listUrlsOf(mail)
    .filter((url) => url !== '')
    .slice(0, MAX_URLS)
    .map((url) => url.slice(0, 2048).toWellFormed())
  const signs: [BulkSign, boolean][] = [
    ['list-unsubscribe', present],
    ['list-id', valuesOf(mail, 'list-id').length > 0],
    ['precedence', valuesOf(mail, 'precedence').some((value) => /^\s*(?:bulk|list)\b/i.test(value))],
    ['feedback-id', valuesOf(mail, 'feedback-id').length > 0],
    ['unsubscribe-link', links.some(({ role }) => role === 'unsubscribe')],
  ]
  return {
    present,
    urls,
    https: urls.some((url) => /^https:/i.test(url)),
    mailto: urls.some((url) => /^mailto:/i.test(url)),
    oneClick: isOneClick(mail),
    signed: isSigned(mail),
    bulkSigns: signs.filter(([, found]) => found).map(([sign]) => sign),
  }
}
