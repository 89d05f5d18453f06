import type { FastifyRequest } from 'fastify'
import type { PagePayload, Problem, SiteJson, Tool } from '#contract/pages.ts'
import { catalogue, type ErrorCode, MayflyError } from '#core/errors.ts'
import { standardLanguage } from '#locales/languages.ts'
import { calls } from './calls.ts'
import type { RouteContext } from './context.ts'
import { homeData } from './home-data.ts'
import { addressJson } from './json.ts'
import type { PageRequest } from './page-request.ts'

type Content = Pick<PagePayload, 'page' | 'data'>
type Page = (context: RouteContext, page: PageRequest, request: FastifyRequest) => Content | Promise<Content>

const POPULAR = 4

const tool =
  (name: Tool): Page =>
  async (context, page, request) => ({ page: 'home', data: await homeData(context, request, page, name) })

const text =
  (slug: string): Page =>
  ({ deps }, { lang }) => ({ page: 'text', data: { text: deps.library.page(slug, lang) } })

/** Whether a form without JavaScript was just sent from this page. */
const sent = ({ query }: PageRequest): boolean => query.sent !== undefined

const change: Page = async ({ deps, auth }, _page, request) => {
  const credential = auth.secretOf(request)
  const open = credential && (await deps.addresses.open(credential.secret))
  const domains = deps.domains.map(({ name, tier }) => ({ name, tier }))
  return { page: 'change', data: { address: open ? addressJson(deps.addresses.view(open)) : null, domains } }
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
    data: { text: deps.library.page('premium', page.lang), plans: options.plans, sent: sent(page) },
  }),
  '/offline': () => ({ page: 'offline', data: {} }),
  // In the other languages the questions stand on the page for problems.
  '/faq': ({ deps }, { lang }) => {
    if (lang !== standardLanguage) throw new MayflyError('not_found')
    return { page: 'text', data: { text: deps.library.faq('faq', lang) } }
  },
}

/** Paths of all pages that search engines may show, in one language. */
export const sitePaths = (lang: string): string[] =>
  Object.keys(PAGES).filter(
    (path) => path !== '/articleDetail' && path !== '/offline' && (path !== '/faq' || lang === standardLanguage),
  )

function problemOf({ error, retry }: Record<string, string>): Problem | null {
  if (error === undefined || !Object.hasOwn(catalogue, error)) return null
  return { code: error as ErrorCode, ...(retry && /^\d{1,6}$/.test(retry) ? { retryAfter: Number(retry) } : {}) }
}

const siteOf = ({ deps, options }: RouteContext, lang: string): SiteJson => ({
  popular: deps.library
    .articles(lang)
    .slice(0, POPULAR)
    .map(({ slug, title }) => ({ slug, title })),
  links: options.links,
  ads: { top: options.ads.top?.height ?? 0, bottom: options.ads.bottom?.height ?? 0 },
})

/** The payload of an error page (SPEC: status, message and description). */
export function errorPayload(context: RouteContext, page: PageRequest, error: MayflyError): PagePayload {
  const { status, title } = catalogue[error.code]
  // A path without a page, or a page that refuses what it was asked for (SPEC 8).
  const missing = Object.hasOwn(PAGES, page.path) ? 'Page Not Found' : 'Page not found'
  return {
    ...page,
    page: 'error',
    renderedAt: context.deps.clock(),
    site: siteOf(context, page.lang),
    problem: null,
    data: {
      status,
      message: status === 404 ? `${missing}: ${page.path}` : title,
      description: error.detail ?? '',
    },
  }
}

/** What the page at a path shows; throws `not_found` for a path that has none. */
export async function pagePayload(
  context: RouteContext,
  request: FastifyRequest,
  page: PageRequest,
): Promise<PagePayload> {
  const of = Object.hasOwn(PAGES, page.path) ? PAGES[page.path] : undefined
  if (!of) throw new MayflyError('not_found')
  const base = {
    ...page,
    renderedAt: context.deps.clock(),
    site: siteOf(context, page.lang),
    problem: problemOf(page.query),
  }
  return { ...base, ...(await of(context, page, request)) } as PagePayload
}
