import { Languages } from 'lucide-react'
import { languages, pathIn } from '#locales/languages.ts'
import { useLanguage, useText } from '../i18n/text.tsx'
import { usePage } from '../page.tsx'
import css from './header.module.css'
import { keepLocale } from './keep-locale.ts'
import { Link } from './link.tsx'
import { closePanels } from './panels.ts'

/** The same page in each language, in a native popover: it works without JavaScript. */
export function LanguageSwitch() {
  const text = useText()
  const { code, displayName } = useLanguage()
  const { payload } = usePage()
  const query = new URLSearchParams(payload.query).toString()
  const path = payload.path + (query && `?${query}`)
  return (
    <>
      <button type="button" className={css.item} popoverTarget="languages" aria-label={text('language.choose')}>
        <Languages size={18} aria-hidden />
        <span>{displayName}</span>
      </button>
      <nav id="languages" popover="auto" className={css.panel} aria-label={text('site.language')}>
        <h2>{text('language.choose')}</h2>
        <ul className={css.languages}>
          {languages.map((language) => (
            <li key={language.code}>
              <Link
                href={pathIn(language.code, path)}
                hrefLang={language.locale}
                lang={language.locale}
                dir={language.dir}
                aria-current={language.code === code ? 'true' : undefined}
                onClick={() => {
                  keepLocale(language.code)
                  closePanels()
                }}
              >
                {language.displayName}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}
