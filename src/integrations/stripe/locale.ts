/** Mayfly's languages that Stripe's pages support, with Stripe's codes. For other languages the browser decides. */
const LOCALES: Record<string, string> = {
  ...Object.fromEntries(
    'de en es fr id it ja ko ms nl pl ro ru th tr vi zh zh-TW'.split(' ').map((code) => [code, code]),
  ),
  pt: 'pt-BR',
}

export const localeOf = (language: string): string => LOCALES[language] ?? 'auto'
