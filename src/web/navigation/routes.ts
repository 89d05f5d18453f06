import type { ComponentType } from 'react'
import type { PagePayload } from '#contract/pages.ts'
import { languages } from '#locales/languages.ts'
import type { View } from '../app/view.ts'
import { Home } from '../pages/home/home.tsx'

/** The pages. Each is a separate file that is loaded on demand. */
export const pages: Record<View, () => Promise<ComponentType>> = {
  // Nearly every visit shows the home page, so it is bundled with the entry.
  home: async () => Home,
  delete: async () => (await import('../pages/delete/delete.tsx')).Delete,
  message: async () => (await import('../pages/message/message.tsx')).MessagePage,
  change: async () => (await import('../pages/change/change.tsx')).Change,
  text: async () => (await import('../pages/text/text.tsx')).TextPage,
  apps: async () => (await import('../pages/apps/apps.tsx')).Apps,
  api: async () => (await import('../pages/api/api.tsx')).Api,
  articles: async () => (await import('../pages/articles/articles.tsx')).Articles,
  article: async () => (await import('../pages/article/article.tsx')).Article,
  contact: async () => (await import('../pages/contact/contact.tsx')).Contact,
  problem: async () => (await import('../pages/problem/problem.tsx')).ProblemPage,
  premium: async () => (await import('../pages/premium/premium.tsx')).Premium,
  account: async () => (await import('../pages/account/account.tsx')).Account,
  checkout: async () => (await import('../pages/checkout/checkout.tsx')).Checkout,
  private: async () => (await import('../pages/private/private.tsx')).Private,
  forwarding: async () => (await import('../pages/forwarding/forwarding.tsx')).Forwarding,
  forwarded: async () => (await import('../pages/forwarded/forwarded.tsx')).Forwarded,
  offline: async () => (await import('../pages/offline/offline.tsx')).Offline,
  error: async () => (await import('../pages/error/error.tsx')).ErrorPage,
}

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
export function pageAt(pathname: string): View | undefined {
  const [, first = '', second = ''] = pathname.split('/')
  const name = languages.some(({ code }) => code === first) ? second : first
  const page = Object.hasOwn(NAMES, name) ? NAMES[name] : name
  return page !== undefined && Object.hasOwn(pages, page) ? (page as View) : undefined
}
