import type { PagePayload, Problem, SiteJson, Tool } from '#contract/pages.ts'
import { catalogue, type ErrorCode, MayflyError } from '#core/errors.ts'
import type { SignedIn } from '#features/sign-in.ts'
import { standardLanguage } from '#locales/languages.ts'
import { accountPage, checkoutPage } from './account-pages.ts'
import { calls } from './calls.ts'
import type { RouteContext } from './context.ts'
import { forwardedPage, forwardingPage } from './forwarding-data.ts'
import { homeData, type Visit } from './home-data.ts'
import { addressJson } from './json.ts'
import type { PageRequest } from './page-request.ts'
import { privateData } from './private-data.ts'

type Content = Pick<PagePayload, 'page' | 'data'>
type Page = (context: RouteContext, page: PageRequest, visit: Visit) => Content | Promise<Content>

const POPULAR = 4

const tool =
  (name: Tool): Page =>
  async (context, page, visit) => ({ page: 'home', data: await homeData(context, visit, page, name) })

const text =
  (slug: string): Page =>
  ({ deps }, { lang }) => ({ page: 'text', data: { text: deps.library.page(slug, lang) } })

/** Whether a form without JavaScript was just sent from this page. */
const sent = ({ query }: PageRequest): boolean => query.sent !== undefined

const change: Page = async ({ deps, auth }, _page, { request, signedIn }) => {
  const open = (await auth.open(request))?.open
  const address = open ? addressJson(await deps.addresses.view(open)) : null
  const domains = deps.domains.map(({ name, tier }) => ({ name, tier }))
  const premium = signedIn?.active ?? false
  const own = signedIn?.active ? await deps.keptAddresses.ownDomains(signedIn.subscription) : []
  return { page: 'change', data: { address, domains, premium, own } }
}

const article: Page = ({ deps }, { lang, query }) => {
  const found = deps.library.article(query.slug ?? '', lang)
  if (!found) throw new MayflyError('not_found')
  const more = deps.library.articles(lang).filter(({ slug }) => slug !== found.slug)
  return { page: 'article', data: { article: found, more: more.slice(0, POPULAR) } }
}

/** The pages by their path without the language prefix (SPEC 2). */
const PAGES: Record<string, Page> = {
  '/': tool('home'),
  '/10-minute-mail': tool('ten-minute-mail'),
  '/email-generator': tool('email-generator'),
  '/change': change,
  '/api': ({ deps }, { lang }) => ({ page: 'api', data: { text: deps.library.page('api', lang), calls } }),
  '/terms': text('terms'),
  '/privacy': text('privacy'),
  '/apps': text('apps'),
  '/articles': ({ deps }, { lang }) => ({
    page: 'articles',
    data: { text: deps.library.page('articles', lang), articles: deps.library.articles(lang) },
  }),
  '/articleDetail': article,
  '/contact': ({ deps }, page) => ({
    page: 'contact',
    data: { text: deps.library.page('contact', page.lang), sent: sent(page) },
  }),
  '/problem': ({ deps }, page) => ({
    page: 'problem',
    data: { text: deps.library.faq('problem', page.lang), sent: sent(page) },
  }),
  '/premium': ({ deps, options }, page) => ({
    page: 'premium',
    data: { text: deps.library.page('premium', page.lang), plans: options.plans },
  }),
  '/account': accountPage,
  '/checkout': checkoutPage,
  '/private': async (context, { query }, { signedIn }) => ({
    page: 'private',
    data: await privateData(context, signedIn, query.address),
  }),
  '/forwarding': forwardingPage,
  '/forwarded': forwardedPage,
  '/offline': () => ({ page: 'offline', data: {} }),
  // In the other languages the questions stand on the page for problems.
  '/faq': ({ deps }, { lang }) => {
    if (lang !== standardLanguage) throw new MayflyError('not_found')
    return { page: 'text', data: { text: deps.library.faq('faq', lang) } }
  },
}

/** Pages that show something only to who was led there. */
const UNLISTED: ReadonlySet<string> = new Set([
  '/articleDetail',
  '/account',
  '/checkout',
  '/private',
  '/forwarding',
  '/forwarded',
  '/offline',
])

/** Paths of all pages that search engines may show, in one language. */
export const sitePaths = (lang: string): string[] =>
  Object.keys(PAGES).filter((path) => !UNLISTED.has(path) && (path !== '/faq' || lang === standardLanguage))

function problemOf({ error, retry }: Record<string, string>): Problem | null {
  if (error === undefined || !Object.hasOwn(catalogue, error)) return null
  return { code: error as ErrorCode, ...(retry && /^\d{1,6}$/.test(retry) ? { retryAfter: Number(retry) } : {}) }
}

function siteOf({ deps, options }: RouteContext, lang: string, signedIn: SignedIn | undefined): SiteJson {
  const { top, bottom } = options.ads
  const height = (ad: typeof top): number => (signedIn?.active ? 0 : (ad?.height ?? 0))
  return {
    account: signedIn ? { active: signedIn.active } : null,
    popular: deps.library
      .articles(lang)
      .slice(0, POPULAR)
      .map(({ slug, title }) => ({ slug, title })),
    links: options.links,
    ads: { top: height(top), bottom: height(bottom) },
  }
}

/**
 * The payload of an error page (SPEC: status, message and description). It has no advertising: where it isn't known who is
 * signed in, it may be a subscriber.
 */
export function errorPayload(
  context: RouteContext,
  page: PageRequest,
  error: MayflyError,
  signedIn?: SignedIn,
): PagePayload {
  const { status, title } = catalogue[error.code]
  // A path without a page, or a page that refuses what it was asked for (SPEC 8).
  const missing = Object.hasOwn(PAGES, page.path) ? 'Page Not Found' : 'Page not found'
  return {
    ...page,
    page: 'error',
    renderedAt: context.deps.clock(),
    site: { ...siteOf(context, page.lang, signedIn), ads: { top: 0, bottom: 0 } },
    problem: null,
    data: {
      status,
      message: status === 404 ? `${missing}: ${page.path}` : title,
      description: error.detail ?? '',
    },
  }
}

/** What the page at a path shows; throws `not_found` for a path that has none. */
export async function pagePayload(context: RouteContext, visit: Visit, page: PageRequest): Promise<PagePayload> {
  const of = Object.hasOwn(PAGES, page.path) ? PAGES[page.path] : undefined
  if (!of) throw new MayflyError('not_found')
  // The browser keeps that page for everybody who uses it.
  const signedIn = page.path === '/offline' ? undefined : visit.signedIn
  const base = {
    ...page,
    renderedAt: context.deps.clock(),
    site: siteOf(context, page.lang, signedIn),
    problem: problemOf(page.query),
  }
  return { ...base, ...(await of(context, page, visit)) } as PagePayload
}
