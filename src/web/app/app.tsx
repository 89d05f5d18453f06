import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Layout } from '../components/layout.tsx'
import { updateHead } from '../document/head.ts'
import { type Navigation, useNavigation } from '../hooks/use-navigation.ts'
import { languageOf, textOf, TextProvider } from '../i18n/text.tsx'
import { Fatal } from './fatal.tsx'
import { type LoadedPage, PageProvider } from './page.tsx'

export interface AppProps extends Navigation {
  /** After a page is shown. */
  onShow?: () => void
}

/** Milliseconds after the start in which the page itself comes first. */
const QUIET = 3000

/** Nothing that anybody waits for: where it can't be had, there is none. */
const LanguageOffer = lazy(async () => ({
  default: await import('../components/language-offer.tsx').then(
    (file) => file.LanguageOffer,
    () => () => null,
  ),
}))

const placeOf = ({ payload }: LoadedPage): string => `${payload.path} ${payload.query.message}`

export function App({ onShow, ...navigation }: AppProps) {
  const { current, loading, offline, go, refresh } = useNavigation(navigation)
  /** Whether the page itself is done, so that lesser things may come. */
  const [quiet, setQuiet] = useState(false)
  /** The title of a page that came in place, for who doesn't see it come. */
  const [announced, setAnnounced] = useState('')

  /** Where keyboard and screen reader go on: at the row of the mail that was read, else at the beginning of the page. */
  const left = useRef(navigation.first)
  useEffect(() => {
    const { message } = left.current.payload.query
    const moved = placeOf(left.current) !== placeOf(current)
    const fresh = left.current !== current
    left.current = current
    // A mail has the focus on its subject, and leaves nothing behind when it goes.
    if (moved) setAnnounced(message === undefined && current.payload.query.message === undefined ? document.title : '')
    const main = document.querySelector<HTMLElement>('#main')
    const { activeElement } = document
    // A page may have put the focus somewhere itself.
    if (!main || (moved ? main.contains(activeElement) : !fresh || activeElement !== document.body)) return
    const row = message && document.querySelector<HTMLElement>(`[data-id="${CSS.escape(message)}"] a`)
    if (row) row.focus()
    else main.focus({ preventScroll: true })
  }, [current])

  useEffect(() => {
    const timer = setTimeout(() => setQuiet(true), QUIET)
    return () => clearTimeout(timer)
  }, [])

  const { payload, messages, Page } = current
  // Before the effects of the page, which may say more in the title.
  useLayoutEffect(() => {
    const language = languageOf(payload.lang)
    document.documentElement.lang = language.locale
    document.documentElement.dir = language.dir
    updateHead(payload, textOf(messages, language))
  }, [payload, messages])

  useEffect(() => {
    onShow?.()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- once for each page
  }, [current, onShow])

  const value = useMemo(() => ({ payload, go, refresh, loading, offline }), [payload, go, refresh, loading, offline])
  return (
    <TextProvider code={payload.lang} messages={messages}>
      <PageProvider value={value}>
        <Fatal>
          <Layout>
            <Page />
          </Layout>
          <p className="quiet" role="status">
            {announced}
          </p>
          {quiet ? (
            <Fatal instead={null}>
              <Suspense>
                <LanguageOffer />
              </Suspense>
            </Fatal>
          ) : null}
        </Fatal>
      </PageProvider>
    </TextProvider>
  )
}
