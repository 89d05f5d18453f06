import type { ArticleJson, FaqJson } from '#contract/content.ts'
import type { PagePayload, PlansJson } from '#contract/pages.ts'
import { toDecimal } from '#core/billing/currency.ts'
import { unescapeHtml } from '#core/text.ts'
import { pathIn } from '#locales/languages.ts'
import { languageOf, type MessageKey, type Text } from '../i18n/text.tsx'
import { cardOf } from './card.ts'
import { canonicalPath, type Head, isHidden } from './head.ts'

/** The text of our own HTML, without character references: JSON-LD is not HTML. */
const plain = (html: string): string =>
  unescapeHtml(html.replaceAll(/<[^>]+>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Short names of pages in breadcrumbs. */
const NAMES: Record<string, MessageKey> = {
  '/premium': 'header.premium',
  '/api': 'footer.api',
  '/articles': 'header.articles',
  '/10-minute-mail': 'footer.tenMinutes',
  '/email-generator': 'footer.generator',
  '/privacy': 'footer.privacy',
  '/terms': 'footer.terms',
  '/faq': 'footer.faq',
  '/problem': 'footer.problem',
  '/contact': 'footer.contact',
  '/apps': 'header.appStore',
  '/change': 'change.title',
}

interface Parts {
  payload: PagePayload
  text: Text
  head: Head
  publicUrl: string
  /** The URL of a page in the language. */
  at: (own: string) => string
  inLanguage: string
}

/** The schema.org data of a page as one JSON-LD graph. */
export function structuredData(payload: PagePayload, text: Text, head: Head, publicUrl: string): object | null {
  if (isHidden(payload)) return null
  const { lang, page, data } = payload
  const at = (own: string): string => publicUrl + pathIn(lang, own)
  const parts: Parts = { payload, text, head, publicUrl, at, inLanguage: languageOf(lang).tag }
  const graph = [
    organization(parts),
    website(parts),
    webPage(parts),
    ...(page === 'home' ? [application(parts)] : []),
    ...(page === 'article' ? article(parts, data.article) : []),
    ...(page === 'premium' && data.plans.sold.length > 0 ? [premium(parts, data.plans)] : []),
    ...(payload.path === '/' ? [] : [breadcrumbs(parts)]),
  ]
  return { '@context': 'https://schema.org', '@graph': graph }
}

const idOf = (publicUrl: string, name: string) => ({ '@id': `${publicUrl}/#${name}` })

const organization = ({ text, publicUrl }: Parts): object => ({
  '@type': 'Organization',
  ...idOf(publicUrl, 'organization'),
  name: text('site.name'),
  url: `${publicUrl}/`,
  logo: `${publicUrl}/icon-512.png`,
})

const website = ({ text, publicUrl, at, inLanguage }: Parts): object => ({
  '@type': 'WebSite',
  ...idOf(publicUrl, 'website'),
  name: text('site.name'),
  url: at('/'),
  inLanguage,
  publisher: idOf(publicUrl, 'organization'),
})

/** The page itself. One of questions is a page, too. */
function webPage({ payload, head, publicUrl, at, inLanguage }: Parts): object {
  const questions = payload.page === 'problem' || payload.page === 'text' ? questionsOf(payload.data.text) : []
  const { page, data } = payload
  const updated = page === 'article' ? data.article.updated : 'text' in data ? data.text.updated : undefined
  return {
    '@type': questions.length > 0 ? 'FAQPage' : 'WebPage',
    url: at(canonicalPath(payload)),
    name: head.title,
    description: head.description,
    inLanguage,
    isPartOf: idOf(publicUrl, 'website'),
    ...(updated ? { dateModified: updated } : {}),
    ...(questions.length > 0 ? { mainEntity: questions } : {}),
  }
}

const question = (name: string, html: string): object => ({
  '@type': 'Question',
  name,
  acceptedAnswer: { '@type': 'Answer', text: plain(html) },
})

const questionsOf = (text: object): object[] =>
  'questions' in text ? (text as FaqJson).questions.map((each) => question(each.question, each.html)) : []

/** The questions of an article: the headings in the section of that name, whose anchor is the same in all languages. */
function articleQuestions(html: string): object[] {
  const [, section = ''] = html.split(/<h2 id="questions-and-answers">.*?<\/h2>/)
  const [own = ''] = section.split('<h2')
  return [...own.matchAll(/<h3[^>]*>(.*?)<\/h3>(.*?)(?=<h3|$)/gs)].map(([, name = '', answer = '']) =>
    question(plain(name), answer),
  )
}

function article({ payload, publicUrl, at, inLanguage }: Parts, own: ArticleJson): object[] {
  const url = at(canonicalPath(payload))
  const questions = articleQuestions(own.html)
  return [
    {
      '@type': 'Article',
      headline: own.title,
      description: own.description,
      datePublished: own.date,
      dateModified: own.updated,
      inLanguage,
      mainEntityOfPage: url,
      image: publicUrl + cardOf(payload),
      author: idOf(publicUrl, 'organization'),
      publisher: idOf(publicUrl, 'organization'),
    },
    ...(questions.length > 0 ? [{ '@type': 'FAQPage', url, inLanguage, mainEntity: questions }] : []),
  ]
}

const application = ({ payload, text, head, at, inLanguage }: Parts): object => ({
  '@type': 'WebApplication',
  name: text('site.name'),
  url: at(payload.path),
  description: head.description,
  applicationCategory: 'UtilitiesApplication',
  operatingSystem: 'Any',
  inLanguage,
  offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
})

/** Premium with the price of each plan that is sold. */
function premium({ payload, text, head, publicUrl, at }: Parts, plans: PlansJson): object {
  const prices = { month: plans.month, year: plans.year, crypto: plans.cryptoYear }
  const names = { month: 'premium.month', year: 'premium.year', crypto: 'premium.crypto' } as const
  const url = at(payload.path)
  return {
    '@type': 'Service',
    name: text('header.premium'),
    description: head.description,
    url,
    provider: idOf(publicUrl, 'organization'),
    offers: plans.sold.map((plan) => ({
      '@type': 'Offer',
      name: text(names[plan]),
      price: toDecimal({ amount: prices[plan], currency: plans.currency }),
      priceCurrency: plans.currency,
      availability: 'https://schema.org/InStock',
      url,
    })),
  }
}

function breadcrumbs({ payload, text, at }: Parts): object {
  const { path } = payload
  const key = NAMES[path]
  const own = payload.page === 'article' ? payload.data.article.title : key ? text(key) : path
  const steps: [string, string][] = [[text('site.home'), '/']]
  if (payload.page === 'article') steps.push([text('header.articles'), '/articles'])
  steps.push([own, canonicalPath(payload)])
  const itemListElement = steps.map(([name, to], i) => ({ '@type': 'ListItem', position: i + 1, name, item: at(to) }))
  return { '@type': 'BreadcrumbList', itemListElement }
}
