/** Languages of the site that BTCPay's checkout has, by its names. It rejects invoices in other languages. */
const LANGUAGES = new Map(
  'am-ET ar de-DE en es-ES fa fr-FR hi id it-IT ja-JP ko nl-NL pl pt-BR ro ru-RU th-TH tr uk-UA vi-VN'
    .split(' ')
    .map((name) => [name.slice(0, 2), name]),
)
  .set('zh', 'zh-SG')
  .set('zh-TW', 'zh-TW')

/** Undefined: the store's language. */
export const languageOf = (code: string): string | undefined => LANGUAGES.get(code)
