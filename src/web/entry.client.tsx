import './styles/base.css'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { PagePayload } from '#contract/pages.ts'
import { fetchJson } from './api/api.ts'
import { App } from './app/app.tsx'
import { createBuildCheck, reloadForFiles } from './app/build-check.ts'
import { UnknownRoute } from './app/fatal.tsx'
import { keepForms, restoreForms } from './app/kept-forms.ts'
import type { LoadedPage } from './app/page.tsx'
import { session } from './app/storage.ts'
import { viewOf } from './app/view.ts'
import { RELOADED_FOR } from './document/missing-scripts.ts'
import { loadMessages } from './i18n/messages.ts'
import { payloadPath } from './navigation/paths.ts'
import { pages } from './navigation/routes.ts'

async function assemble(payload: PagePayload): Promise<LoadedPage> {
  const view = viewOf(payload)
  const [messages, Page] = await Promise.all([
    loadMessages(payload.lang, view),
    Object.hasOwn(pages, view) ? pages[view]() : UnknownRoute,
  ])
  return { payload, messages, Page }
}

async function load(href: string): Promise<LoadedPage> {
  const loaded = await assemble((await fetchJson(payloadPath(href))) as PagePayload)
  // A newer build may have a page that this one lacks. Throwing here triggers a full load with the new scripts.
  if (loaded.Page === UnknownRoute) UnknownRoute()
  return loaded
}

const keep = (): void => keepForms(session)
const restore = (): void => restoreForms(session)

const builds = createBuildCheck({
  buildId: document.documentElement.dataset.build ?? '',
  fetchJson,
  clock: () => Date.now(),
  storage: session,
  keep,
  assign(href) {
    const to = new URL(href, location.href)
    // For another fragment of the same page `location.assign` would only scroll.
    if (to.pathname + to.search !== location.pathname + location.search) return location.assign(href)
    history.replaceState(history.state, '', href)
    location.reload()
  },
})

async function start(): Promise<void> {
  const first = await assemble(JSON.parse(document.querySelector('#payload')?.textContent ?? '') as PagePayload)
  // As a transition React hydrates in slices of 5 ms, so that it never blocks input for long.
  startTransition(() => {
    hydrateRoot(
      document.querySelector('#root') as Element,
      <StrictMode>
        <App first={first} load={load} builds={builds} onLeave={keep} onShow={restore} />
      </StrictMode>,
    )
  })
}

if (!import.meta.env.DEV) reloadForFiles(builds)
try {
  await start()
  session.removeItem(RELOADED_FOR)
} catch (error) {
  console.error(error)
  // A new build may have the missing file. If not, the page works as it does without JavaScript (missing-scripts.ts).
  if (!(await builds.poll()) || !builds.reload(location.href)) dispatchEvent(new Event('error'))
}
if (!import.meta.env.DEV) {
  void import('./app/late.ts').then(
    ({ startLate }) => startLate(pages, builds),
    // Conveniences only.
    () => {},
  )
}
