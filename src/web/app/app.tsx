import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Layout } from '../components/layout.tsx'
import { updateHead } from '../document/head.ts'
import { type Navigation, useNavigation } from '../hooks/use-navigation.ts'
import { languageOf, textOf, TextProvider } from '../i18n/text.tsx'
import { isOffer, useBars } from './bars.ts'
import { Fatal } from './fatal.tsx'
import { type LoadedPage, PageProvider } from './page.tsx'
import { INBOX_KEY, local } from './storage.ts'

interface AppProps extends Navigation {
  /** Called after a page is shown. */
  onShow?: () => void
}

/** Milliseconds after the start that are reserved for the page itself. */
const QUIET = 3000

/** Optional: if it cannot be loaded, nothing is shown. */
const Dock = lazy(async () => ({
  default: await import('../parts/bars.ts').then(
    (file) => file.Dock,
    () => () => null,
  ),
}))

/** Whether there is something to show in the bars at the bottom, or an inbox to follow for them. */
function useDock(quiet: boolean): boolean {
  const { pending, messages, followed } = useBars()
  const [needed, setNeeded] = useState(false)
  const now = pending.size > 0 || messages.some(isOffer) || (quiet && !followed && local.getItem(INBOX_KEY) !== null)
  useEffect(() => {
    if (now) setNeeded(true)
  }, [now])
  return needed
}

const placeOf = ({ payload }: LoadedPage): string => `${payload.path} ${payload.query.message}`

export function App({ onShow, ...navigation }: AppProps) {
  const { current, loading, offline, missed, go, refresh, reached } = useNavigation(navigation)
  /** Whether the page itself is loaded and less important parts may follow. */
  const [quiet, setQuiet] = useState(false)
  /** The title of the new page after client-side navigation, announced to screen readers. */
  const [announced, setAnnounced] = useState('')

  /** Moves the focus to the row of the message that was open, else to the start of the page. */
  const left = useRef(navigation.first)
  useEffect(() => {
    const { message } = left.current.payload.query
    const moved = placeOf(left.current) !== placeOf(current)
    const isNewPage = left.current !== current
    left.current = current
    // A message page focuses its subject, so its title is not announced. Nor is the return from it.
    if (moved) setAnnounced(message === undefined && current.payload.query.message === undefined ? document.title : '')
    const main = document.querySelector<HTMLElement>('#main')
    const { activeElement } = document
    // The page may have set the focus itself.
    if (!main || (moved ? main.contains(activeElement) : !isNewPage || activeElement !== document.body)) return
    const row = message && document.querySelector<HTMLElement>(`[data-id="${CSS.escape(message)}"] a`)
    if (row) row.focus()
    else main.focus({ preventScroll: true })
  }, [current])

  useEffect(() => {
    const timer = setTimeout(() => setQuiet(true), QUIET)
    return () => clearTimeout(timer)
  }, [])

  const { payload, messages, Page } = current
  // Runs before the effects of the page, which may extend the title.
  useLayoutEffect(() => {
    const language = languageOf(payload.lang)
    document.documentElement.lang = language.tag
    document.documentElement.dir = language.dir
    updateHead(payload, textOf(messages, language, payload.site.limits))
  }, [payload, messages])

  useEffect(() => {
    onShow?.()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs once per page
  }, [current, onShow])

  const value = useMemo(
    () => ({ payload, go, refresh, loading, offline, missed, reached }),
    [payload, go, refresh, loading, offline, missed, reached],
  )
  const dock = useDock(quiet)
  return (
    <TextProvider code={payload.lang} messages={messages} limits={payload.site.limits}>
      <PageProvider value={value}>
        <Fatal of={current}>
          <Layout>
            <Page />
          </Layout>
          <p className="quiet" role="status">
            {announced}
          </p>
          {dock ? (
            <Fatal instead={null}>
              <Suspense>
                <Dock />
              </Suspense>
            </Fatal>
          ) : null}
        </Fatal>
      </PageProvider>
    </TextProvider>
  )
}
