import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TextJson } from '#contract/content.ts'
import { EXTRA_DOMAINS, type ExtraDomains } from '#contract/operator.ts'
import { languages } from '#locales/languages.ts'
import { exampleFigures, type Figures, fillFigures } from './figures.ts'
import { createLibrary, type Library } from './library.ts'

const DIRECTORY = join(import.meta.dirname, '../../content')

const ALL = { forwarding: true, premiumDomains: true }
const premium = (code: string, of: Partial<Figures> = {}, features: Partial<typeof ALL> = {}) => {
  const figures = (locale: string) => ({ ...exampleFigures(locale), ...of })
  return createLibrary(DIRECTORY, { ...ALL, ...features, figures }).page('premium', code).html
}

describe.each(['forwarding', 'premiumDomains'])('without %s', (feature) => {
  test.each(languages.map(({ code }) => code))('the Premium page in %s has one item less', (code) => {
    const items = (isOn: boolean) => {
      const html = premium(code, {}, { [feature]: isOn })
      expect(html).not.toContain('<!--')
      return html.split('<li>').slice(1, 10)
    }
    const without = items(false)
    expect(items(true).filter((item) => !without.includes(item))).toHaveLength(1)
  })
})

test.each(languages.map(({ code }) => code))(
  'the Premium page in %s has one item less if there are no own domains',
  (code) => {
    const items = (of: Partial<Figures>) => premium(code, of).split('<li>').length
    expect(items({ ownDomains: null })).toBe(items({}) - 1)
  },
)

/** The pages that exist in a language. */
const pagesIn = (code: string): string[] =>
  readdirSync(join(DIRECTORY, 'pages')).filter((slug) => slug !== 'faq' || code === 'zh')

/**
 * What texts call the domains of each kind: the branches of their selects without branches of their own. A branch that
 * `none` shares names no domains.
 */
function wordsOf(code: string): Record<'premium' | 'own', string[]> {
  const pages = pagesIn(code).map((slug) => readFileSync(join(DIRECTORY, 'pages', slug, `${code}.md`), 'utf8'))
  const words = { premium: [] as string[], own: [] as string[] }
  for (const [, kind, text = ''] of [upgradeText(code), ...pages]
    .join('\n')
    .matchAll(/(premium|own) \{([^{}]+)\}(?! none)/g))
    words[kind as 'premium' | 'own'].push(text.replaceAll(/\[(.+?)\]\(.+?\)/g, '$1').trim())
  return words
}

const upgradeText = (code: string): string =>
  (JSON.parse(readFileSync(join(DIRECTORY, `../locales/${code}.json`), 'utf8')) as Record<string, string>)[
    'change.upgradeText'
  ] ?? ''

const figuresWith =
  (extraDomains: ExtraDomains) =>
  (locale: string): Figures => ({
    ...exampleFigures(locale),
    extraDomains,
    ownDomains: ['both', 'own'].includes(extraDomains) ? 3 : null,
  })

/** The libraries with each kind of extra domains. They keep what they have read. */
const libraries = Object.fromEntries(
  EXTRA_DOMAINS.map((extraDomains) => [
    extraDomains,
    createLibrary(DIRECTORY, {
      ...ALL,
      premiumDomains: ['both', 'premium'].includes(extraDomains),
      figures: figuresWith(extraDomains),
    }),
  ]),
) as Record<ExtraDomains, Library>

/** Returns a page, one of questions with these. */
function pageOf(library: Library, slug: string, code: string): TextJson {
  if (slug !== 'faq') return library.page(slug, code)
  const { questions, ...page } = library.faq(slug, code)
  return { ...page, html: [page.html, ...questions.flatMap(({ question, html }) => [question, html])].join('\n') }
}

/** Returns all pages and the offer on the page for new addresses, as text. */
function textsWith(extraDomains: ExtraDomains, code: string): string {
  const figures = figuresWith(extraDomains)
  const library = libraries[extraDomains]
  const pages = pagesIn(code).flatMap((slug) => {
    const { title, description, keywords, html } = pageOf(library, slug, code)
    return [title, description, keywords, html]
  })
  // Without any such domain, there is no offer.
  const offer = extraDomains === 'none' ? '' : fillFigures(upgradeText(code), figures(code), code)
  return [...pages, offer].join('\n').replaceAll(/<[^>]*>/g, '')
}

/** A link to the page about Premium or to the account. */
const LINKED = /<a href="[^"]*\/(?:premium|account)"/

/** Returns whether a text in a language has the word for a domain. */
function namesDomain(code: string): (text: string) => boolean {
  const glossary = readFileSync(join(DIRECTORY, `../locales/glossary/${code}.json`), 'utf8')
  const { use } = (JSON.parse(glossary) as Record<'domain', { use: string[] }>).domain
  return (text) => use.some((stem) => text.toLowerCase().includes(stem.toLowerCase()))
}

/** Returns the blocks of pages, questions and articles that link to Premium or the account and name domains. */
function linkedBlocks(library: Library, slugs: { pages: string[]; articles: string[] }, code: string): string[] {
  const texts = [
    ...slugs.pages.map((slug) => pageOf(library, slug, code).html),
    ...slugs.articles.flatMap((slug) => library.article(slug, code)?.html ?? []),
  ]
  return texts
    .flatMap((html) => html.split(/<\/(?:p|li|td|h\d)>/))
    .filter((block) => LINKED.test(block))
    .map((block) => block.replaceAll(/<code.*?<\/code>|<[^>]*>/g, '').trim())
    .filter(namesDomain(code))
}

describe.each(languages.map(({ code }) => code))('in %s', (code) => {
  const { premium: reserved, own } = wordsOf(code)
  const said = (words: string[], extraDomains: ExtraDomains): string[] => {
    const texts = textsWith(extraDomains, code)
    return words.filter((word) => texts.includes(word))
  }

  test('no text promises premium domains or own domains where there are none', () => {
    expect(said([...reserved, ...own], 'none')).toEqual([])
    expect(said(own, 'premium')).toEqual([])
    expect(said(reserved, 'own')).toEqual([])
  })

  test.each(EXTRA_DOMAINS)('with %s as extra domains, no keyword, question or article says more', (extraDomains) => {
    const library = libraries[extraDomains]
    const hasOwn = extraDomains === 'both' || extraDomains === 'own'
    const { title, description, keywords, html } = library.page('premium', code)
    expect(namesDomain(code)(keywords)).toBe(hasOwn)
    expect(keywords).not.toMatch(/[{}]|,\s*,|^,|,\s*$/)
    expect(namesDomain(code)([title, description, html].join('\n'))).toBe(extraDomains !== 'none')
    const pages = extraDomains === 'none' ? pagesIn(code) : pagesIn(code).filter((slug) => slug === 'faq')
    const blocks = linkedBlocks(library, { pages, articles: library.articles('en').map(({ slug }) => slug) }, code)
    expect(blocks.length).toBe(hasOwn ? (code === 'zh' ? 4 : 3) : 0)
    const article = library.article('own-domain-for-throwaway-addresses', code)?.html ?? ''
    expect([LINKED.test(article), article.includes('_mayfly.')]).toEqual([hasOwn, hasOwn])
    expect(article).not.toContain('<!--')
  })

  test('texts promise the domains that there are', () => {
    expect(reserved.length).toBeGreaterThan(2)
    expect(said(reserved, 'premium')).toEqual(reserved)
    expect(said(own, 'own')).toEqual(own)
    expect(EXTRA_DOMAINS.map((kind) => textsWith(kind, code).includes('extraDomains'))).not.toContain(true)
  })
})

const articles = createLibrary(DIRECTORY, { ...ALL, figures: exampleFigures })
const slugs = articles.articles('en').map(({ slug }) => slug)

test('each article is followed by four others: first those that it links to', () => {
  for (const slug of slugs) {
    const related = articles.related(slug, 'en').map((each) => each.slug)
    expect(related).toHaveLength(4)
    expect(related).not.toContain(slug)
    expect(new Set(related).size).toBe(4)
  }
  const { html } = articles.article('ten-minute-mail', 'en') ?? { html: '' }
  const [, first] = /articleDetail\?slug=([\w-]+)/.exec(html) ?? []
  expect(articles.related('ten-minute-mail', 'de')[0]?.slug).toBe(first)
})

test('each article and page has a date of its last change', () => {
  const isDate = expect.stringMatching(/^2\d{3}-\d{2}-\d{2}$/)
  for (const { date, updated } of articles.articles('en')) {
    expect([date, updated]).toEqual([isDate, isDate])
    expect(updated >= date).toBe(true)
  }
  for (const slug of readdirSync(join(DIRECTORY, 'pages')))
    expect([slug, articles.updated(slug)]).toEqual([slug, isDate])
})
