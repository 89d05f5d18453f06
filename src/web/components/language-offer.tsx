import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { usePage } from '../app/page.tsx'
import { local } from '../app/storage.ts'
import { loadMessages } from '../i18n/messages.ts'
import { preferredLanguage } from '../i18n/preferred-language.ts'
import { type Messages, languageOf, textOf, useLanguage } from '../i18n/text.tsx'
import { translatedPath } from '../i18n/translated-path.ts'
import { keepLocale } from './language-switch.tsx'
import { Link } from './link.tsx'
import css from './language-offer.module.css'

const DISMISSED = 'mayfly:no-language-offer'

/**
 * Offers the browser's preferred language, in that language. A dismissed offer does not return. Visitors are never
 * redirected.
 */
export function LanguageOffer() {
  const { code } = useLanguage()
  const { payload } = usePage()
  const [offer, setOffer] = useState<{ code: string; messages: Messages } | null>(null)
  useEffect(() => {
    const preferred = preferredLanguage(document.cookie, navigator.languages)
    if (preferred === undefined || preferred === code || local.getItem(DISMISSED) !== null) return setOffer(null)
    loadMessages(preferred)
      .then((messages) => setOffer({ code: preferred, messages }))
      .catch(() => setOffer(null))
  }, [code])
  if (!offer) return null

  const language = languageOf(offer.code)
  const text = textOf(offer.messages, language)
  return (
    <aside className={css.offer} lang={language.locale} dir={language.dir}>
      <p>
        {text('offer.text')}{' '}
        <Link href={translatedPath(payload, offer.code)} onClick={() => keepLocale(offer.code)}>
          {text('offer.accept')}
        </Link>
      </p>
      <button
        type="button"
        aria-label={text('offer.dismiss')}
        onClick={() => {
          local.setItem(DISMISSED, '1')
          setOffer(null)
        }}
      >
        <X size={18} aria-hidden />
      </button>
    </aside>
  )
}
