import { Languages } from 'lucide-react'
import { languages } from '#locales/languages.ts'
import { usePage } from '../app/page.tsx'
import { elsewhere } from '../i18n/elsewhere.ts'
import { useLanguage, useText } from '../i18n/text.tsx'
import { keepLocale } from './keep-locale.ts'
import { Link } from './link.tsx'
import { closePanels } from './panels.ts'
import css from './header.module.css'

/** The same page in each language, in a native popover: it works without JavaScript. */
export function LanguageSwitch() {
  const text = useText()
  const { code, displayName } = useLanguage()
  const { payload } = usePage()
  return (
    <>
      <button type="button" className={css.item} popoverTarget="languages">
        <Languages size={18} aria-hidden />
        <span className="quiet">{text('language.choose')}</span>
        <span>{displayName}</span>
      </button>
      <nav id="languages" popover="auto" className={css.panel} aria-label={text('site.language')}>
        <h2>{text('language.choose')}</h2>
        <ul className={css.languages}>
          {languages.map((language) => (
            <li key={language.code}>
              <Link
                href={elsewhere(payload, language.code)}
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
