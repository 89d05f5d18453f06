import { type ComponentType, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { PagePayload } from '#contract/pages.ts'
import { App, type LoadedPage } from './app.tsx'
import { createBuildCheck, watchBuilds } from './build-check.ts'
import type { Messages } from './i18n/text.tsx'
import { Home } from './pages/home/home.tsx'
import { payloadPath } from './payload-path.ts'
import { viewOf } from './view.ts'
import './styles/base.css'

const messagesOf = import.meta.glob<Messages>('../../locales/*.json', { import: 'default' })
const pages: Partial<Record<string, () => Promise<ComponentType>>> = {
  // What nearly every visit shows comes with the entry: one file less to wait for.
  home: async () => Home,
  message: async () => (await import('./pages/message/message.tsx')).MessagePage,
  change: async () => (await import('./pages/change/change.tsx')).Change,
  text: async () => (await import('./pages/text/text.tsx')).TextPage,
  articles: async () => (await import('./pages/articles/articles.tsx')).Articles,
  article: async () => (await import('./pages/article/article.tsx')).Article,
  contact: async () => (await import('./pages/contact/contact.tsx')).Contact,
  problem: async () => (await import('./pages/problem/problem.tsx')).ProblemPage,
  premium: async () => (await import('./pages/premium/premium.tsx')).Premium,
  error: async () => (await import('./pages/error/error.tsx')).ErrorPage,
}
/** What texts are shown in where a language has none of its own (SPEC 2). */
const FALLBACK = '../../locales/en.json'

async function assemble(payload: PagePayload): Promise<LoadedPage> {
  const [messages, Page] = await Promise.all([
    (messagesOf[`../../locales/${payload.lang}.json`] ?? messagesOf[FALLBACK])?.(),
    pages[viewOf(payload)]?.(),
  ])
  // A newer build answers with a page that this one doesn't know (SPEC 8).
  if (!messages || !Page) throw new Error('Unknown route middleware')
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
  assign: (href) => (href === location.href ? location.reload() : location.assign(href)),
})
const embedded = document.querySelector('#payload')?.textContent ?? ''
const root = document.querySelector('#root')
if (!root) throw new Error('The page has no root')
hydrateRoot(
  root,
  <StrictMode>
    <App first={await assemble(JSON.parse(embedded) as PagePayload)} load={load} builds={builds} />
  </StrictMode>,
)
if (!import.meta.env.DEV) watchBuilds(builds, { buildId, fetchJson })
