import { Languages, X } from 'lucide-react'
import { useState } from 'react'
import { type Language, languages } from '#locales/languages.ts'
import { usePage } from '../app/page.tsx'
import { isPressed } from '../hooks/is-pressed.ts'
import { fileLoader } from '../hooks/load-file.ts'
import { languageOf, useLanguage, useText } from '../i18n/text.tsx'
import { translatedPath } from '../i18n/translated-path.ts'
import { Link } from './link.tsx'
import css from './header.module.css'

const YEAR = 365 * 24 * 3600

/** Keeps a choice in a cookie for a year. In a frame of another site the cookie needs `SameSite=None`. */
function keepChoice(name: string, value: string): void {
  const framed = window.top !== window && location.protocol === 'https:'
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; samesite=${framed ? 'none; secure' : 'lax'}`
}
const keepLocale = (code: string): void => keepChoice('mayfly_locale', code)

/** The languages by their names. In this order of characters, scripts stay together and Latin names are sorted. */
const SORTED = languages.toSorted((a, b) => (a.displayName < b.displayName ? -1 : 1))

const loadSearch = fileLoader(() => import('../i18n/find-languages.ts'))

/** What was typed last. The results of earlier searches may come later. */
let newest = ''

/** Links to the page in each language, in a native popover that works without JavaScript. */
export function LanguageSwitch() {
  const text = useText()
  const { code, displayName, locale } = useLanguage()
  const { payload } = usePage()
  const [typed, setTyped] = useState('')
  const [shown, setShown] = useState<readonly Language[]>(SORTED)
  /** Shows the languages that the text means; all if there is none, or if the search cannot be loaded. */
  async function find(words: string): Promise<Language | undefined> {
    newest = words
    setTyped(words)
    // The menu opens without the search, whose file may be gone after an upgrade.
    let found: Language[] = []
    if (words !== '')
      found = await loadSearch().then(
        ({ findLanguages }) => findLanguages(SORTED, words, locale),
        () => [],
      )
    if (newest !== words) return undefined
    setShown(found.length > 0 ? found : SORTED)
    return found[0]
  }
  return (
    <>
      <button type="button" className={css.item} popoverTarget="languages">
        <Languages size={18} aria-hidden />
        <span className="quiet">{text('language.choose')}</span>
        <span className={css.current}>{displayName}</span>
      </button>
      <nav
        id="languages"
        popover="auto"
        className={`${css.panel} ${css.languages}`}
        aria-label={text('site.language')}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') currentTarget.querySelector('input')?.focus()
          void find('')
        }}
      >
        <input
          type="search"
          className="needs-script"
          aria-label={text('language.choose')}
          placeholder={text('language.choose')}
          value={typed}
          onChange={({ currentTarget }) => void find(currentTarget.value)}
          onKeyDown={(event) => {
            if (!isPressed('Enter', event.nativeEvent)) return
            // The focus returns to the button, which the key would press.
            event.preventDefault()
            void find(typed).then((first) =>
              document.querySelector<HTMLElement>(`#languages [hreflang=${first?.tag}]`)?.click(),
            )
          }}
        />
        <ul>
          {shown.map((language) => (
            <li key={language.code}>
              <Link
                href={translatedPath(payload, language.code)}
                hrefLang={language.tag}
                lang={language.tag}
                dir={language.dir}
                aria-current={language.code === code ? 'true' : undefined}
                onClick={() => keepLocale(language.code)}
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

/**
 * Offers the visitor's own language, in that language. The server knows it, so the offer is there in the first paint. A
 * dismissed offer does not return. Visitors are never redirected.
 */
export function LanguageOffer() {
  const { payload } = usePage()
  const [dismissed, setDismissed] = useState(false)
  const { offer } = payload.site
  if (!offer || dismissed) return null
  const { tag, dir } = languageOf(offer.code)
  return (
    <aside className={css.offer} lang={tag} dir={dir}>
      <p>
        <span>{offer.text}</span>{' '}
        <Link href={translatedPath(payload, offer.code)} onClick={() => keepLocale(offer.code)}>
          {offer.accept}
        </Link>
      </p>
      <button
        type="button"
        className="needs-script"
        aria-label={offer.dismiss}
        onClick={() => {
          keepChoice('mayfly_offer', 'no')
          setDismissed(true)
        }}
      >
        <X size={18} aria-hidden />
      </button>
    </aside>
  )
}
