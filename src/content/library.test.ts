import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import { exampleFigures, type Figures } from './figures.ts'
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
