import type { PagePayload } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'
import { languageOf, type Text } from '../i18n/text.tsx'
import { canonicalPath, type Head, isHidden } from './head.ts'

const plain = (html: string): string => html.replaceAll(/<[^>]+>/g, '').trim()

/** The schema.org data of a page as one JSON-LD graph. */
export function structuredData(payload: PagePayload, text: Text, head: Head, publicUrl: string): object | null {
  const { lang, page, path, data } = payload
  if (isHidden(payload)) return null
  const at = (own: string): string => publicUrl + pathIn(lang, own)
  const inLanguage = languageOf(lang).locale
  const publisher = {
    '@type': 'Organization',
    name: text('site.name'),
    url: `${publicUrl}/`,
    logo: `${publicUrl}/icon-512.png`,
  }
  const graph: object[] = []
  if (page === 'home') {
    graph.push({
      '@type': 'WebApplication',
      name: text('site.name'),
      url: at(path),
      description: head.description,
      applicationCategory: 'UtilitiesApplication',
      operatingSystem: 'Any',
      inLanguage,
      offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
    })
  }
  if (page === 'article') {
    const { title, description, date, slug } = data.article
    graph.push({
      '@type': 'Article',
      headline: title,
      description,
      datePublished: date,
      inLanguage,
      mainEntityOfPage: at(`${path}?slug=${slug}`),
      image: `${publicUrl}/og.png`,
      author: publisher,
      publisher,
    })
  }
  if ((page === 'problem' || page === 'text') && 'questions' in data.text) {
    const mainEntity = data.text.questions.map(({ question, html }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: plain(html) },
    }))
    graph.push({ '@type': 'FAQPage', inLanguage, mainEntity })
  }
  if (path !== '/') graph.push(breadcrumbs(payload, text, head, at))
  return { '@context': 'https://schema.org', '@graph': graph }
}

function breadcrumbs(payload: PagePayload, text: Text, head: Head, at: (own: string) => string): object {
  const here = canonicalPath(payload)
  const steps: [string, string][] = [[text('site.home'), '/']]
  if (payload.page === 'article') steps.push([text('header.articles'), '/articles'])
  steps.push([head.title, here])
  const itemListElement = steps.map(([name, own], i) => ({ '@type': 'ListItem', position: i + 1, name, item: at(own) }))
  return { '@type': 'BreadcrumbList', itemListElement }
}
