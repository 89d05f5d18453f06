import { Languages } from 'lucide-react'
import { languages } from '#locales/languages.ts'
import { usePage } from '../app/page.tsx'
import { useLanguage, useText } from '../i18n/text.tsx'
import { translatedPath } from '../i18n/translated-path.ts'
import { Link } from './link.tsx'
import css from './header.module.css'

const YEAR = 365 * 24 * 3600

/** Keeps the chosen language in a cookie for a year. In a frame of another site the cookie needs `SameSite=None`. */
export function keepLocale(code: string): void {
  const framed = window.top !== window && location.protocol === 'https:'
  document.cookie = `mayfly_locale=${code}; path=/; max-age=${YEAR}; samesite=${framed ? 'none; secure' : 'lax'}`
}

/** Closes the popovers of the header. Client-side navigation would leave them open. */
export function closePanels(): void {
  for (const panel of document.querySelectorAll<HTMLElement>(':popover-open')) panel.hidePopover()
}

/** Links to the page in each language, in a native popover that works without JavaScript. */
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
                href={translatedPath(payload, language.code)}
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
