/** Languages of the site that Stripe's pages have, by its names. The browser decides for the others. */
const LOCALES: Record<string, string> = {
  ...Object.fromEntries(
    'de en es fr id it ja ko ms nl pl ro ru th tr vi zh zh-TW'.split(' ').map((code) => [code, code]),
  ),
  pt: 'pt-BR',
}

export const localeOf = (language: string): string => LOCALES[language] ?? 'auto'
