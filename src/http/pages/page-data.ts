import type { PagePayload, PremiumData, Problem, SiteJson, Tool } from '#contract/pages.ts'
import { catalog, type ErrorCode, MayflyError } from '#core/errors.ts'
import { newSecret } from '#core/mailbox/secret.ts'
import { standardLanguage } from '#locales/languages.ts'
import { apiOperations } from '../api-operations.ts'
import type { RouteContext } from '../context.ts'
import { domainsOf, ownDomainsOf } from '../domains.ts'
import { addressJson } from '../json/mailbox.ts'
import { timestamp } from '../json/time.ts'
import { accountPage, checkoutPage } from './account-pages.ts'
import { forwardedPage, forwardingPage } from './forwarding-data.ts'
import { homeData, type Visit } from './home-data.ts'
import { offerFor } from './language-offer.ts'
import { isCrawler, isSent, type PageRequest } from './page-request.ts'
import { privateData } from './private-data.ts'
import { runMiddleware } from './route-middleware.ts'

type AnyContent = Pick<PagePayload, 'page' | 'data'>
type Page = (context: RouteContext, page: PageRequest, visit: Visit) => AnyContent | Promise<AnyContent>

const POPULAR = 4

const tool = (name: Tool): Route => ({
  page: async (context, page, visit) => ({ page: 'home', data: await homeData(context, visit, page, name) }),
})

/** A text with the legal notice. */
const legal = (slug: string): Route => ({
  page: ({ deps, options }, { lang }) => ({
    page: 'text',
    data: { text: deps.library.page(slug, lang), operator: options.operator },
  }),
})

function buyerOf({ deps }: RouteContext, signedIn: NonNullable<Visit['signedIn']>): PremiumData['account'] {
  const email = deps.account.email(signedIn)
  // A damaged email address is empty, and asked for again.
  if (!email) return null
  const { id, paidUntil } = signedIn.subscription
  return { id, email, paidUntil: paidUntil > deps.clock() ? timestamp(paidUntil) : null }
}

const change: Page = async ({ deps, auth, earlier }, _page, { request, signedIn }) => {
  const open = (await auth.open(request))?.open
  const past = earlier.list(request).filter((each) => each.address !== open?.address)
  // An address of a subscription stays.
  const replaced = open?.row.subscriptionId === null ? addressJson(await deps.addresses.view(open)) : null
  return {
    page: 'change',
    data: {
      address: open?.address ?? '',
      replaced,
      newSecret: newSecret(),
      hasMessages: (open?.row.usedBytes ?? 0) > 0,
      earlier: past.map((each) => ({ address: each.address, usedAt: timestamp(each.usedAt) })),
      domains: domainsOf(deps),
      premium: signedIn?.active ?? false,
      own: await ownDomainsOf(deps, signedIn),
    },
  }
}

const articles: Page = ({ deps }, { lang }) => ({
  page: 'articles',
  data: { text: deps.library.page('articles', lang), articles: deps.library.articles(lang) },
})

const article: Page = ({ deps }, { lang, query }) => {
  const found = deps.library.article(query.slug ?? '', lang)
  if (!found) throw new MayflyError('not_found')
  return { page: 'article', data: { article: found, more: deps.library.related(found.slug, lang) } }
}

export interface Route {
  page: Page
  /** The middleware that runs before this page, named as in `route-middleware.ts`. */
  middleware?: readonly string[]
  /** A page of one visitor only. Neither search engines nor advertisements see it. */
  isPersonal?: true
}

/** The pages by their path without the language prefix. */
const ROUTES: Record<string, Route> = {
  '/': tool('home'),
  '/10-minute-mail': tool('ten-minute-mail'),
  '/email-generator': tool('email-generator'),
  '/change': { page: change },
  '/api': {
    page: ({ deps }, { lang }) => ({
      page: 'api',
      data: { text: deps.library.page('api', lang), operations: apiOperations },
    }),
  },
  '/terms': legal('terms'),
  '/privacy': legal('privacy'),
  '/apps': {
    page: ({ deps }, { lang }) => ({
      page: 'apps',
      data: { text: deps.library.page('apps', lang), extension: [...deps.extension.browsers] },
    }),
  },
  '/articles': { page: articles },
  '/articleDetail': { page: article },
  '/contact': {
    page: ({ deps }, page) => ({
      page: 'contact',
      data: { text: deps.library.page('contact', page.lang), sent: isSent(page) },
    }),
  },
  '/problem': {
    page: ({ deps }, page) => ({
      page: 'problem',
      data: { text: deps.library.faq('problem', page.lang), sent: isSent(page) },
    }),
  },
  '/premium': {
    page: (context, page, { signedIn }) => ({
      page: 'premium',
      data: {
        text: context.deps.library.page('premium', page.lang),
        account: signedIn ? buyerOf(context, signedIn) : null,
        plans: context.options.plans,
      },
    }),
  },
  '/account': { page: accountPage('addresses'), isPersonal: true },
  '/account/domains': { page: accountPage('domains'), isPersonal: true },
  '/account/developer': { page: accountPage('developer'), isPersonal: true },
  '/account/billing': { page: accountPage('billing'), isPersonal: true },
  '/checkout': { page: checkoutPage, isPersonal: true },
  '/private': {
    page: async (context, { query }, { signedIn }) => ({
      page: 'private',
      data: await privateData(context, signedIn, query.address),
    }),
    isPersonal: true,
  },
  '/forwarding': { page: forwardingPage, isPersonal: true },
  '/forwarded': { page: forwardedPage, isPersonal: true },
  '/offline': { page: () => ({ page: 'offline', data: {} }), middleware: ['signed-out'], isPersonal: true },
  // In the other languages, the questions are on the problem page.
  '/faq': {
    page: ({ deps }, { lang }) => ({ page: 'text', data: { text: deps.library.faq('faq', lang) } }),
    middleware: ['first-language'],
  },
}

/** The text of a page whose path is not its name. */
const SLUGS: Record<string, string> = { '/': 'home', '/10-minute-mail': 'ten-minute-mail' }

/** The name of the text of a page. */
export const slugAt = (path: string): string => SLUGS[path] ?? path.slice(1)

/** Paths of all pages that search engines may list, in one language. */
export const sitePaths = (lang: string): string[] =>
  Object.entries(ROUTES)
    // Articles are listed by their name.
    .filter(([path]) => path !== '/articleDetail' && (path !== '/faq' || lang === standardLanguage))
    .flatMap(([path, { isPersonal }]) => (isPersonal ? [] : [path]))

function problemOf({ error, retry }: Record<string, string>): Problem | null {
  if (error === undefined || !Object.hasOwn(catalog, error)) return null
  return { code: error as ErrorCode, ...(retry && /^\d{1,6}$/.test(retry) ? { retryAfter: Number(retry) } : {}) }
}

function siteOf(
  { deps, options }: RouteContext,
  { lang, path }: PageRequest,
  { request, signedIn }: Pick<Visit, 'request' | 'signedIn'>,
): SiteJson {
  const { top, bottom } = ROUTES[path]?.isPersonal ? {} : options.ads
  const height = (ad: typeof top): number => (signedIn?.active ? 0 : (ad?.height ?? 0))
  return {
    crawler: isCrawler(request),
    offer: isCrawler(request) ? null : offerFor(deps, request, lang),
    account: signedIn ? { id: signedIn.subscription.id, active: signedIn.active } : null,
    popular: deps.library
      .articles(lang)
      .slice(0, POPULAR)
      .map(({ slug, title }) => ({ slug, title })),
    links: options.links,
    limits: options.limits,
    ads: { top: height(top), bottom: height(bottom) },
  }
}

/**
 * The payload of an error page: status, message and description. It has no advertising, because a subscriber may be
 * asking. `requested` is the requested path with its language prefix.
 */
export function errorPayload(
  context: RouteContext,
  { requested, ...page }: PageRequest & { requested: string },
  error: MayflyError,
  visit: Pick<Visit, 'request' | 'signedIn'>,
): PagePayload {
  const { status, title } = catalog[error.code]
  const exists = Object.hasOwn(ROUTES, page.path)
  return {
    ...page,
    page: 'error',
    renderedAt: context.deps.clock(),
    site: { ...siteOf(context, page, visit), ads: { top: 0, bottom: 0 } },
    // The only page with a message of its own for a refusal.
    problem: error.code === 'message_damaged' ? { code: error.code } : null,
    data: {
      status,
      // Two wordings: a page that refuses its parameters, and an unknown path.
      message: status === 404 ? `${exists ? 'Page Not Found' : 'Page not found'}: ${requested}` : title,
      description: error.detail ?? '',
      requested,
      exists,
    },
  }
}

/** Returns the payload of the page at a path. Throws `not_found` for unknown paths. */
export async function pagePayload(
  context: RouteContext,
  visit: Visit,
  page: PageRequest,
  routes: Record<string, Route> = ROUTES,
): Promise<PagePayload> {
  const route = Object.hasOwn(routes, page.path) ? routes[page.path] : undefined
  if (!route) throw new MayflyError('not_found')
  const { middleware = [], page: show } = route
  const admitted = runMiddleware(middleware, visit, page)
  const problem = problemOf(page.query)
  const base = {
    ...page,
    renderedAt: context.deps.clock(),
    site: siteOf(context, page, admitted),
    // Whoever has signed in since need not be told.
    problem: problem?.code === 'not_signed_in' && admitted.signedIn ? null : problem,
  }
  return { ...base, ...(await show(context, context.tokens.give(visit.request, page), admitted)) } as PagePayload
}
