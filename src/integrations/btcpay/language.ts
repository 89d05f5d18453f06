/**
 * Mayfly's languages that BTCPay's checkout supports, with BTCPay's codes. BTCPay rejects an invoice with another code.
 */
const LANGUAGES = new Map(
  'am-ET ar de-DE en es-ES fa fr-FR hi id it-IT ja-JP ko nl-NL pl pt-BR ro ru-RU th-TH tr uk-UA vi-VN'
    .split(' ')
    .map((name) => [name.slice(0, 2), name]),
)
  .set('zh', 'zh-SG')
  .set('zh-TW', 'zh-TW')

/** Returns BTCPay's code of a language. Undefined: the default language of the store. */
export const languageOf = (code: string): string | undefined => LANGUAGES.get(code)
