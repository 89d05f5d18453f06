/** Those of our languages that Stripe's pages speak, by its names; the browser decides for the others. */
const LOCALES: Record<string, string> = {
  ...Object.fromEntries(
    'de en es fr id it ja ko ms nl pl ro ru th tr vi zh zh-TW'.split(' ').map((code) => [code, code]),
  ),
  pt: 'pt-BR',
}

export const localeOf = (language: string): string => LOCALES[language] ?? 'auto'
