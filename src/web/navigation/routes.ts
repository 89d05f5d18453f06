import type { ComponentType } from 'react'
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
