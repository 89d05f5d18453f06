import type { ReactNode } from 'react'
import { languages } from '#locales/languages.ts'
import { useLanguage, useText } from '../i18n/text.tsx'
import { pathIn } from '#locales/languages.ts'
import { usePage } from '../page.tsx'
import css from './layout.module.css'
import { Link } from './link.tsx'
import { Wing } from './wing.tsx'

const YEAR = 365 * 24 * 3600

/** SPEC 9: the language that was chosen is kept for a year. */
function keepLocale(code: string): void {
  document.cookie = `mayfly_locale=${code}; path=/; max-age=${YEAR}; samesite=lax`
}

/** Header, the page, footer. */
export function Layout({ children }: { children: ReactNode }) {
  const text = useText()
  const { code } = useLanguage()
  const { payload, loading } = usePage()
  const query = new URLSearchParams(payload.query).toString()
  return (
    <>
      <a className={css.skip} href="#main">
        {text('site.skip')}
      </a>
      <header className={css.header}>
        <Link className={css.brand ?? ''} href={pathIn(code, '/')}>
          <Wing size={34} />
          <span>{text('site.name')}</span>
        </Link>
        <nav aria-label={text('site.language')}>
          <ul className={css.languages}>
            {languages.map((language) => (
              <li key={language.code}>
                <Link
                  href={pathIn(language.code, payload.path) + (query && `?${query}`)}
                  hrefLang={language.locale}
                  lang={language.locale}
                  aria-current={language.code === code ? 'true' : undefined}
                  onClick={() => keepLocale(language.code)}
                >
                  {language.displayName}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main" tabIndex={-1} aria-busy={loading}>
        {children}
      </main>
      <footer className={css.footer}>
        <p>{text('site.footer')}</p>
      </footer>
    </>
  )
}
