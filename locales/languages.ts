export interface Language {
  /** Path prefix and name of the message file. */
  code: string
  displayName: string
  /** Regional locale (BCP 47). */
  locale: string
  /** Language tag for `lang` attributes: the locale, without a region that is none of the language. */
  tag: string
  dir: 'ltr' | 'rtl'
  /** Locale for numbers and dates. `wordless`: its words belong to another language, so dates use digits only. */
  format: { locale: string; wordless: boolean }
}

/** Code, display name, regional locale. The first language has no path prefix. */
const TABLE = [
  ['zh', '简体中文', 'zh-CN'],
  ['en', 'English', 'en-US'],
  ['de', 'Deutsch', 'de-DE'],
  ['es', 'Español', 'es-ES'],
  ['fr', 'Français', 'fr-FR'],
  ['id', 'Bahasa Indonesia', 'id-ID'],
  ['it', 'Italiano', 'it-IT'],
  ['ja', '日本語', 'ja-JP'],
  ['ko', '한국어', 'ko-KR'],
  ['pt', 'Português', 'pt-BR'],
  ['ru', 'Русский', 'ru-RU'],
  ['th', 'ไทย', 'th-TH'],
  ['tr', 'Türkçe', 'tr-TR'],
  ['zh-TW', '繁體中文', 'zh-TW'],
  ['hi', 'हिन्दी', 'hi-IN'],
  ['ar', 'العربية', 'ar-AR'],
  ['ur', 'اردو', 'ur-PK'],
  ['vi', 'Tiếng Việt', 'vi-VN'],
  ['bn', 'বাংলা', 'bn-BD'],
  ['fa', 'فارسی', 'fa-IR'],
  ['sw', 'Kiswahili', 'sw-KE'],
  ['ta', 'தமிழ்', 'ta-IN'],
  ['ha', 'Hausa', 'ha-NG'],
  ['te', 'తెలుగు', 'te-IN'],
  ['gu', 'ગુજરાતી', 'gu-IN'],
  ['ms', 'Bahasa Melayu', 'ms-MY'],
  ['pl', 'Polski', 'pl-PL'],
  ['uk', 'Українська', 'uk-UA'],
  ['my', 'မြန်မာ', 'my-MM'],
  ['ro', 'Română', 'ro-RO'],
  ['nl', 'Nederlands', 'nl-NL'],
  ['am', 'አማርኛ', 'am-ET'],
  ['kh', 'ភាសាខ្មែរ', 'km-KH'],
] as const

/**
 * Chrome lacks the locale data of these languages and falls back to English. The server has the data, so hydration would
 * not match. Both therefore use a locale that formats dates as digits in the usual order.
 */
const WITHOUT_DATA: Record<string, string> = { ha: 'en-GB', my: 'en-GB-u-nu-mymr', kh: 'en-GB' }

const RIGHT_TO_LEFT = /^(?:ar|fa|ur)$/

export const languages: readonly Language[] = TABLE.map(([code, displayName, locale]) => ({
  code,
  displayName,
  locale,
  tag: locale === 'ar-AR' ? 'ar' : locale,
  dir: RIGHT_TO_LEFT.test(code) ? 'rtl' : 'ltr',
  format: { locale: WITHOUT_DATA[code] ?? locale, wordless: code in WITHOUT_DATA },
}))

export const standardLanguage: string = TABLE[0][0]

/** The path and query of a page in a language: `/change` -> `/en/change`. */
export function pathIn(code: string, path: string): string {
  if (code === standardLanguage) return path
  return path === '/' ? `/${code}` : `/${code}${path}`.replace(/\/(?=[?#])/, '')
}
