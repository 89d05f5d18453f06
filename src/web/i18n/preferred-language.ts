import { languages } from '#locales/languages.ts'

/** Some browsers report invalid tags such as `en-US@posix`. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** The site's language for a BCP 47 tag; undefined if there is none or the tag is invalid. */
export function codeOf(tag: string): string | undefined {
  if (!isTag(tag)) return undefined
  const { language, script, region } = new Intl.Locale(tag).maximize()
  if (language === 'zh') return script === 'Hant' || region === 'TW' ? 'zh-TW' : 'zh'
  return languages.find(({ locale }) => locale.split('-', 1)[0] === language)?.code
}

/** The language that the visitor chose before, else the first of the browser's languages that the site has. */
export function preferredLanguage(cookie: string, tags: readonly string[]): string | undefined {
  const chosen = /(?:^|; )mayfly_locale=(?<code>[\w-]+)/.exec(cookie)?.groups?.code
  if (languages.some(({ code }) => code === chosen)) return chosen
  return tags.map(codeOf).find((code) => code !== undefined)
}
