/** Words that stay Latin in every language: names of products, protocols and formats. Acronyms and words with digits do anyway. */
const NAMES = new Set(
  `mayfly premium stripe btcpay server server-sent events openapi curl javascript python node chrome safari firefox edge
  samsung internet android iphone ipad ipados ios mac macos windows linux bitcoin lightning json-lines retry-after bearer
  last-event-id wi-fi wifi e-mail email github google apple facebook whatsapp telegram signal gmail outlook mailgun playwright cypress
  cookie cookies plus bcc webhook webhooks captcha unsubscribe secret long-polling polling token id`.split(/\s+/),
)

export const isName = (word: string): boolean =>
  NAMES.has(word.toLowerCase()) || /^[A-Z][A-Z-]*s?$/.test(word) || /\d/.test(word)
