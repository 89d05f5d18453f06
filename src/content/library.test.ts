import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXTRA_DOMAINS, type ExtraDomains } from '#contract/operator.ts'
import { languages } from '#locales/languages.ts'
import { exampleFigures, type Figures, fillFigures } from './figures.ts'
import { createLibrary } from './library.ts'

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

/** The pages that exist in every language. */
const PAGES = readdirSync(join(DIRECTORY, 'pages')).filter((slug) => slug !== 'faq')

/**
 * What texts call the domains of each kind: the branches of their selects without branches of their own. A branch that
 * `none` shares names no domains.
 */
function wordsOf(code: string): Record<'premium' | 'own', string[]> {
  const pages = PAGES.map((slug) => readFileSync(join(DIRECTORY, 'pages', slug, `${code}.md`), 'utf8'))
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

/** Returns all pages and the offer on the page for new addresses, as text. */
function textsWith(extraDomains: ExtraDomains, code: string): string {
  const premiumDomains = ['both', 'premium'].includes(extraDomains)
  const ownDomains = ['both', 'own'].includes(extraDomains) ? 3 : null
  const figures = (locale: string): Figures => ({ ...exampleFigures(locale), extraDomains, ownDomains })
  const library = createLibrary(DIRECTORY, { ...ALL, premiumDomains, figures })
  const pages = PAGES.flatMap((slug) => {
    const { title, description, html } = library.page(slug, code)
    return [title, description, html]
  })
  // Without any such domain, there is no offer.
  const offer = extraDomains === 'none' ? '' : fillFigures(upgradeText(code), figures(code), code)
  return [...pages, offer].join('\n').replaceAll(/<[^>]*>/g, '')
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
