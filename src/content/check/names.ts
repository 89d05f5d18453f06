/**
 * Names of products, protocols and formats, which stay Latin in every language. Acronyms and words with digits stay
 * Latin, too.
 */
const NAMES = new Set(
  `mayfly premium stripe btcpay server server-sent events openapi curl javascript python node chrome safari firefox edge
  samsung internet android iphone ipad ios mac macos dock windows linux bearer retry-after wi-fi wifi e-mail email esim
  google apple gmail cookie cookies plus webhook webhooks token long polling`.split(/\s+/),
)

/** Whether a word is a name. A suffix in another script may follow after a hyphen. */
export function isName(word: string): boolean {
  const stem = word.replace(/[-’']+$/, '')
  return NAMES.has(stem.toLowerCase()) || /^[A-Z][A-Z-]*s?$/.test(stem) || /\d/.test(stem)
}
