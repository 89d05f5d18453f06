import {
  type ComponentType,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { PagePayload } from '#contract/pages.ts'
import { Layout } from './components/layout.tsx'
import type { BuildCheck } from './build-check.ts'
import { Fatal } from './fatal.tsx'
import { titleOf } from './head.ts'
import { languageOf, type Messages, textOf, TextProvider } from './i18n/text.tsx'
import { PageProvider } from './page.tsx'

/** A page with all that it is rendered from. */
export interface LoadedPage {
  payload: PagePayload
  messages: Messages
  Page: ComponentType
}

export interface AppProps {
  first: LoadedPage
  /** Loads the page at an address of this site; missing on the server. */
  load?: (href: string) => Promise<LoadedPage>
  builds?: BuildCheck
  /** After a page is shown. */
  onShow?: () => void
}

/** Milliseconds after the start in which the page itself comes first. */
const QUIET = 3000

/** Nothing that anybody waits for: where it can't be had, there is none. */
const LanguageOffer = lazy(async () => ({
  default: await import('./components/language-offer.tsx').then(
    (file) => file.LanguageOffer,
    () => () => null,
  ),
}))

const here = (): string => location.pathname + location.search

export function App({ first, load, builds, onShow }: AppProps) {
  const [current, setCurrent] = useState(first)
  const [loading, setLoading] = useState(false)
  /** Whether the page itself is done, so that lesser things may come. */
  const [quiet, setQuiet] = useState(false)
  /** The newest navigation; older ones that come in late are dropped. */
  const newest = useRef(0)
  /** Where the page that is shown is from; empty on the server. */
  const shown = useRef('')

  /** The part of the next page that a link leads to. */
  const target = useRef('')

  const show = useCallback(
    async (href: string, after: () => void) => {
      const turn = ++newest.current
      setLoading(true)
      try {
        const loaded = await load?.(href)
        if (turn !== newest.current || !loaded) return
        after()
        shown.current = here()
        setCurrent(loaded)
      } catch {
        // What can't be loaded piece by piece is loaded whole; the browser then says what is wrong.
        if (turn === newest.current && builds && !builds.reload(href)) location.assign(href)
      } finally {
        if (turn === newest.current) setLoading(false)
      }
    },
    [load, builds],
  )

  const go = useCallback(
    (href: string, { replace = false } = {}) => {
      if (builds?.stale && builds.reload(href)) return
      void show(href, () => {
        if (replace) history.replaceState(null, '', href)
        else history.pushState(null, '', href)
        if (!replace) scrollTo(0, 0)
        target.current = decodeURIComponent(new URL(href, location.href).hash.slice(1))
      })
    },
    [show, builds],
  )

  const refresh = useCallback(() => show(here(), () => {}), [show])

  useEffect(() => {
    shown.current = here()
    const onPop = (): void => {
      if (here() !== shown.current) {
        if (!builds?.stale || !builds.reload(here())) void show(here(), () => {})
        return
      }
      // Only the fragment is another, or one is back before the other page came.
      newest.current++
      setLoading(false)
    }
    addEventListener('popstate', onPop)
    return () => removeEventListener('popstate', onPop)
  }, [show, builds])

  /** Where keyboard and screen reader go on: at the row of the mail that was read, else at the beginning of the page. */
  const left = useRef(first)
  useEffect(() => {
    const { message } = left.current.payload.query
    const moved = left.current !== current
    left.current = current
    if (!moved || document.activeElement !== document.body) return
    const row = message && document.querySelector<HTMLElement>(`[data-id="${CSS.escape(message)}"] a`)
    if (row) row.focus()
    else document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
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
    document.title = titleOf(payload, textOf(messages, language))
  }, [payload, messages])

  useEffect(() => {
    if (target.current) document.getElementById(target.current)?.scrollIntoView()
    target.current = ''
    onShow?.()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- once for each page
  }, [current, onShow])

  const value = useMemo(() => ({ payload, go, refresh, loading }), [payload, go, refresh, loading])
  return (
    <TextProvider code={payload.lang} messages={messages}>
      <PageProvider value={value}>
        <Fatal>
          <Layout>
            <Page />
          </Layout>
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
