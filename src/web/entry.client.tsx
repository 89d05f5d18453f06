import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { PagePayload } from '#contract/pages.ts'
import { App, type LoadedPage } from './app.tsx'
import { createBuildCheck, watchBuilds } from './build-check.ts'
import { loadMessages } from './i18n/messages.ts'
import { keepForms, restoreForms } from './kept-forms.ts'
import { payloadPath } from './payload-path.ts'
import { createPreloads } from './preload.ts'
import { pageAt, pages } from './routes.ts'
import { viewOf } from './view.ts'
import './styles/base.css'

async function assemble(payload: PagePayload): Promise<LoadedPage> {
  const [messages, Page] = await Promise.all([
    loadMessages(payload.lang),
    (pages as Partial<typeof pages>)[viewOf(payload)]?.(),
  ])
  // A newer build answers with a page that this one doesn't know (SPEC 8).
  if (!Page) throw new Error('Unknown route middleware')
  return { payload, messages, Page }
}

const fetchJson = async (path: string): Promise<unknown> => {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}

async function load(href: string): Promise<LoadedPage> {
  return assemble((await fetchJson(payloadPath(href))) as PagePayload)
}

const buildId = document.documentElement.dataset.build ?? ''
const builds = createBuildCheck({
  buildId,
  fetchJson,
  clock: () => Date.now(),
  storage: sessionStorage,
  keep: () => keepForms(sessionStorage),
  assign: (href) => (href === location.href ? location.reload() : location.assign(href)),
})
const embedded = document.querySelector('#payload')?.textContent ?? ''
const root = document.querySelector('#root')
if (!root) throw new Error('The page has no root')
hydrateRoot(
  root,
  <StrictMode>
    <App
      first={await assemble(JSON.parse(embedded) as PagePayload)}
      load={load}
      builds={builds}
      onShow={() => restoreForms(sessionStorage)}
    />
  </StrictMode>,
)

const preload = createPreloads((page) => pages[page as keyof typeof pages]())
const preloadLink = (link: HTMLAnchorElement | null | undefined): void => {
  const page = link?.origin === location.origin ? pageAt(link.pathname) : undefined
  if (page) preload(page)
}
/** Loads what a visitor seems to go to; nothing where data is dear. */
function preloadLinks(): void {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  for (const event of ['pointerover', 'focusin', 'touchstart']) {
    addEventListener(event, ({ target }) => preloadLink((target as Element).closest?.('a')), { passive: true })
  }
}

if (!import.meta.env.DEV) {
  watchBuilds(builds, { buildId, fetchJson })
  preloadLinks()
  void navigator.serviceWorker
    ?.register(`/sw.js?lang=${document.documentElement.dataset.lang}&build=${buildId}`)
    .catch(() => {
      // A browser in private mode may refuse; the site works without it.
    })
}
