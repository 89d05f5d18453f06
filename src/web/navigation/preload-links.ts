import type { PagePayload } from '#contract/pages.ts'
import { languages } from '#locales/languages.ts'
import type { View } from '../app/view.ts'
import { createPreloads } from './preload.ts'
import type { pages } from './routes.ts'

/** Paths that differ from the name of their page. */
const NAMES: Record<string, PagePayload['page']> = {
  '': 'home',
  '10-minute-mail': 'home',
  'email-generator': 'home',
  articleDetail: 'article',
  terms: 'text',
  privacy: 'text',
  faq: 'text',
}

/** The page of a path, in any language; undefined for an unknown path. */
function pageAt(all: typeof pages, pathname: string): View | undefined {
  const [, first = '', second = ''] = pathname.split('/')
  const name = languages.some(({ code }) => code === first) ? second : first
  const page = Object.hasOwn(NAMES, name) ? NAMES[name] : name
  return page !== undefined && Object.hasOwn(all, page) ? (page as View) : undefined
}

/** Preloads the page of a link that the visitor points at or focuses, unless the browser saves data. */
export function preloadLinks(all: typeof pages): void {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  const preload = createPreloads((page) => all[page as View]())
  const onLink = ({ target }: Event): void => {
    const link = (target as Element).closest?.('a')
    const page = link?.origin === location.origin ? pageAt(all, link.pathname) : undefined
    if (page) preload(page)
  }
  for (const event of ['pointerover', 'focusin', 'touchstart']) addEventListener(event, onLink, { passive: true })
}
