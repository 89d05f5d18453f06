export interface Language {
  /** Path prefix and name of the message file. */
  code: string
  displayName: string
  /** Regional locale (BCP 47). */
  locale: string
  dir: 'ltr' | 'rtl'
}

/** The first language has no path prefix. */
export const languages: readonly Language[] = [
  { code: 'zh', displayName: '中文', locale: 'zh-CN', dir: 'ltr' },
  { code: 'en', displayName: 'English', locale: 'en-US', dir: 'ltr' },
]
