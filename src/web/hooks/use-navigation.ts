import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { BuildCheck } from '../app/build-check.ts'
import type { GoOptions, LoadedPage } from '../app/page.tsx'
import { closePopovers } from './popovers.ts'
import { useOnline } from './use-online.ts'

export interface Navigation {
  first: LoadedPage
  /** Loads a page of this site; undefined on the server. */
  load?: ((href: string) => Promise<LoadedPage>) | undefined
  builds?: BuildCheck | undefined
  /** Called before client-side navigation leaves a page. */
  onLeave?: (() => void) | undefined
}

/** The scroll target of a page: a fragment, else a distance from the top in pixels. */
interface Place {
  fragment?: string
  scroll: number
}

/** What is loaded, and what is done before it is shown. */
type Step = [href: string, after: () => void, done?: boolean]

/** Milliseconds before a navigation that must succeed is tried again. */
const RETRY = 3000
const SCROLL_PAUSE = 100
const here = (): string => location.pathname + location.search

/** Removes the message from the URL of the inbox that is shown in its place, because the address is gone. */
function leaveGone({ payload }: LoadedPage): void {
  if (payload.page === 'home' && !payload.data.message && /[?&]message=/.test(location.search))
    history.replaceState(history.state, '', location.pathname + location.hash)
}

/** The current page, and navigation by links, back and forward. */
export function useNavigation({ first, load, builds, onLeave }: Navigation) {
  const [current, setCurrent] = useState(first)
  const [loading, setLoading] = useState(false)
  /** Whether the server did not respond to the last navigation, or a file could not be loaded. */
  const [offline, setOffline] = useState(false)
  /** The navigation under way, or that waits to be tried again. Late results of older ones are dropped. */
  const pending = useRef<Step>(null)
  const retry = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** URL of the current page; empty on the server. */
  const shown = useRef('')
  const place = useRef<Place | null>(null)

  const show = useCallback(
    async function again(...step: Step): Promise<boolean> {
      const [href, after, done] = step
      pending.current = step
      clearTimeout(retry.current)
      retry.current = undefined
      builds?.aim(href)
      setLoading(true)
      try {
        const loaded = await load?.(href)
        if (step !== pending.current || !loaded) return false
        onLeave?.()
        after()
        shown.current = here()
        setOffline(false)
        setCurrent(loaded)
        return true
      } catch {
        // If the server is unreachable, keep the current page. If it responds, load the target with a full navigation.
        const answered = builds && (await builds.poll())
        if (step !== pending.current || !builds) return false
        if (answered) {
          if (!builds.reload(href)) location.assign(href)
          return true
        }
        setOffline(true)
        if (done) retry.current = setTimeout(() => void again(...step), RETRY)
        return false
      } finally {
        if (step === pending.current) {
          if (!retry.current) pending.current = null
          builds?.aim()
          setLoading(false)
        }
      }
    },
    [load, builds, onLeave],
  )

  const go = useCallback(
    async (href: string, { replace, done }: GoOptions = {}): Promise<boolean> => {
      closePopovers()
      if (builds?.stale && builds.reload(href)) return true
      const after = (): void => {
        const to = new URL(href, location.href)
        // Browsers don't add an entry for the URL that is shown either.
        if (replace || to.href === location.href) history.replaceState(history.state, '', href)
        else history.pushState(null, '', href)
        // Another page in place of this one starts at its top too.
        if (!replace || to.pathname + to.search !== shown.current)
          place.current = { fragment: decodeURIComponent(to.hash.slice(1)), scroll: 0 }
      }
      return show(href, after, done)
    },
    [show, builds],
  )

  const missed = useCallback(() => setOffline(true), [])
  const reached = useCallback(() => setOffline(false), [])
  useOnline(reached)
  // A refresh repeats the navigation under way: the page that the visitor chose must come, with what was just changed. It
  // is tried until it succeeds, because what the page shows may no longer be true.
  const refresh = useCallback(
    (error?: string) => {
      const to = new URL(location.href)
      if (error) {
        to.searchParams.set('error', error)
        to.searchParams.delete('message')
      }
      return show(...(pending.current ?? ([to.pathname + to.search, () => {}, true] as Step)))
    },
    [show],
  )

  useEffect(() => {
    const onPop = ({ state }: PopStateEvent): void => {
      closePopovers()
      const { scroll = 0 } = (state ?? {}) as Partial<Place>
      if (here() !== shown.current) {
        if (!builds?.stale || !builds.reload(here())) void show(here(), () => (place.current = { scroll }))
        return
      }
      // Only the fragment changed, or the visitor went back before the next page was loaded.
      pending.current = null
      builds?.aim()
      setLoading(false)
    }
    // The browser restores the scroll position before the new page is rendered, so it is kept here.
    let pause: ReturnType<typeof setTimeout> | undefined
    const onScroll = (): void => {
      clearTimeout(pause)
      pause = setTimeout(() => {
        if (!pending.current) history.replaceState({ ...(history.state as object), scroll: scrollY }, '')
      }, SCROLL_PAUSE)
    }
    addEventListener('popstate', onPop)
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(pause)
      removeEventListener('popstate', onPop)
      removeEventListener('scroll', onScroll)
    }
  }, [show, builds])

  useLayoutEffect(() => {
    leaveGone(current)
    shown.current = here()
    const to = place.current
    place.current = null
    if (!to) return
    const part = to.fragment ? document.getElementById(to.fragment) : null
    if (part) part.scrollIntoView()
    else scrollTo(0, to.scroll)
  }, [current])

  return { current, loading, offline, missed, go, refresh, reached }
}
