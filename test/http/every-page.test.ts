import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { languages, pathIn } from '#locales/languages.ts'
import { USER_AGENT } from '#test/support/program/browser.ts'
import { type Program, startProgram, warningsOf, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { schemaFaults } from '#test/support/schema-org.ts'
import { CARDS } from '#web/document/card.ts'
import { createDefaultsFinder, OTHER_FIGURES } from './figures.ts'

const SITE = 'https://other.example'
const OPERATOR = {
  MAYFLY_OPERATOR_NAME: 'Mayfly <Ltd>',
  MAYFLY_OPERATOR_ADDRESS: '1 River Street, Springfield',
  MAYFLY_OPERATOR_EMAIL: 'legal@mayfly.example',
  MAYFLY_OPERATOR_LAW: 'Law of Ireland; Data Protection Commission',
}
/** Pages that have figures, if they are in the sitemap or not. */
const PAGES = ['', 'api', 'terms', 'privacy', 'apps', 'contact', 'problem', 'premium', 'change', '10-minute-mail']
const PATHS = [...PAGES, 'email-generator', 'articles', 'account', 'forwarding'].map((path) => `/${path}`)

let program: Program
let xml: string
/** Paths of all pages in the sitemap. */
let paths: string[]
beforeAll(async () => {
  const env = { MAYFLY_PUBLIC_URL: SITE, MAYFLY_PAYMENT_SANDBOX: 'on-public-site' }
  program = await startProgram({ env: { ...WITHOUT_LIMITS, ...OTHER_FIGURES, ...OPERATOR, ...env } })
  xml = await text('/sitemap.xml')
  paths = [...xml.matchAll(/<loc>https:\/\/other\.example(.*?)<\/loc>/g)].map(([, path = '']) => path)
})
afterAll(() => program.stop())

const get = (path: string) =>
  fetch(`http://127.0.0.1:${program.httpPort}${path}`, { headers: { 'user-agent': USER_AGENT } })
const text = async (path: string) => (await get(path)).text()

type Node = { '@type': string } & Record<string, unknown>
const graphOf = (html: string) => {
  const [, json = '{}'] = /<script type="application\/ld\+json">(.+?)<\/script>/s.exec(html) ?? []
  return JSON.parse(json) as { '@context': string; '@graph': Node[] }
}
const nodeOf = async (path: string, type: string) =>
  graphOf(await text(path))['@graph'].find((node) => node['@type'] === type)

/** Each page is rendered once, for all tests of a language. */
describe.each(languages)('in $code', ({ code }) => {
  const isOwn = (path: string) =>
    code === 'zh' ? !/^\/(?:[a-z]{2}|zh-TW)(?:\/|$)/.test(path) : `${path}/`.startsWith(`/${code}/`)
  const withoutLanguage = (path: string) => (code === 'zh' ? path : path.slice(code.length + 1)) || '/'
  const pages = new Map<string, string>()
  beforeAll(async () => {
    for (const path of new Set([...paths.filter(isOwn), ...PATHS.map((each) => pathIn(code, each))]))
      pages.set(path, await text(path))
  })
  afterAll(() => pages.clear())

  test('each page has one first heading before all others, and valid structured data', () => {
    const own = paths.filter(isOwn)
    expect(own.length).toBeGreaterThan(15)
    for (const path of own) {
      const html = pages.get(path) ?? ''
      const levels = [...html.matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => level)
      expect([path, levels[0], levels.filter((level) => level === '1').length]).toEqual([path, '1', 1])
      expect([path, schemaFaults(graphOf(html))]).toEqual([path, []])
      expect(html).toMatch(/<meta property="og:image:alt" content="Mayfly: \S[^"]*">/)
    }
  })

  test('no page mentions the default of a setting that has another value', async () => {
    const defaultsOn = await createDefaultsFinder(code)
    expect([...pages].flatMap(([path, html]) => defaultsOn(withoutLanguage(path), html))).toEqual([])
  })

  test.each(['/privacy', '/terms'])('%s names the operator', (path) => {
    const notice = pages.get(pathIn(code, path))?.split('id="legal"')[1] ?? ''
    expect(notice).toContain('Mayfly &lt;Ltd&gt;')
    expect(notice).toContain('1 River Street, Springfield')
    expect(notice).toContain('<a href="mailto:legal@mayfly.example">')
    expect(notice).toContain('Law of Ireland; Data Protection Commission')
    expect(notice).toContain(`href="${pathIn(code, '/contact')}"`)
  })

  test('a preview image of each kind exists, and is small', async () => {
    for (const card of Object.keys(CARDS)) {
      const png = Buffer.from(await (await get(`/cards/${code}/${card}.png`)).arrayBuffer())
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
      expect(png.length).toBeLessThan(25_000)
    }
  })
})

test('a page declares its kind, and names itself without the brand', async () => {
  const breadcrumbs = async (path: string) => {
    const node = await nodeOf(path, 'BreadcrumbList')
    return ((node?.itemListElement ?? []) as { name: string }[]).map(({ name }) => name)
  }
  expect(await breadcrumbs('/en/premium')).toEqual(['Home', 'Premium'])
  expect(await breadcrumbs('/en/privacy')).toEqual(['Home', 'Privacy'])
  const [home, articles, title] = await breadcrumbs('/en/articleDetail?slug=spotting-phishing')
  expect([home, articles]).toEqual(['Home', 'Articles'])
  expect(title).not.toContain('Mayfly')
})

test('Premium is offered at the configured prices', async () => {
  const offers = (await nodeOf('/en/premium', 'Service'))?.offers as Node[]
  expect(offers[0]).toMatchObject({ price: '155.00', priceCurrency: 'CHF', url: `${SITE}/en/premium` })
})

test('pages and articles say when they were changed', async () => {
  const dates = JSON.parse(await readFile('content/dates.json', 'utf8')) as Record<string, string>
  expect(xml).toContain(`<loc>${SITE}/en/privacy</loc><lastmod>${dates.privacy}</lastmod>`)
  expect((await nodeOf('/en/privacy', 'WebPage'))?.dateModified).toBe(dates.privacy)
  const source = await readFile(join('content/articles/ten-minute-mail/en.md'), 'utf8')
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(source)?.[1]
  const updated = field('updated') ?? field('date')
  expect(xml).toContain(`<loc>${SITE}/en/articleDetail?slug=ten-minute-mail</loc><lastmod>${updated}</lastmod>`)
  expect(await nodeOf('/en/articleDetail?slug=ten-minute-mail', 'Article')).toMatchObject({
    datePublished: field('date'),
    dateModified: updated,
  })
})

test('openapi.json has the figures of the site', async () => {
  const document = await text('/api/v1/openapi.json')
  expect(document).toContain('One address per 138 seconds and IP address')
  expect(document).toContain('`day`: 131 hours after')
  expect(document).toContain('reserved for 133 days')
  expect(document).not.toContain('On the computer that runs this service')
})

test('/llms.txt lists the pages and articles, which exist', async () => {
  const list = await text('/llms.txt')
  expect(list).toMatch(/^# Mayfly\n\n> \S/)
  const links = [...list.matchAll(/^- \[[^\]]+\]\(https:\/\/other\.example(\S+)\): \S/gm)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(15)
  for (const path of links) expect([path, (await get(path)).status]).toEqual([path, 200])
})

test('the vocabulary finds faults', () => {
  const faults = (node: object) => schemaFaults({ '@context': 'https://schema.org', '@graph': [{ ...node }] })
  expect(faults({ '@type': 'Mayfly' })).toEqual(['Mayfly: there is no type Mayfly'])
  expect(faults({ '@type': 'WebPage', price: '1' })).toEqual(['WebPage: WebPage has no property price'])
  expect(faults({ '@type': 'WebPage', dateModified: 'today' })).toHaveLength(1)
  expect(faults({ '@type': 'WebPage', isPartOf: { '@id': '#x' } })).toHaveLength(1)
  expect(faults({ '@type': 'Offer', price: '1' })).toEqual(['Offer: lacks priceCurrency'])
})

test('other pages do not name the operator, /.well-known/security.txt does, and the start warns of the sandbox alone', async () => {
  expect(await text('/en/apps')).not.toContain('id="legal"')
  const security = await text('/.well-known/security.txt')
  expect(security).toContain(`Contact: mailto:legal@mayfly.example\nContact: ${SITE}/en/contact\n`)
  expect(security).toContain(`\nCanonical: ${SITE}/.well-known/security.txt\n`)
  const expires = Date.parse(/^Expires: (.+)$/m.exec(security)?.[1] ?? '')
  expect(expires).toBeGreaterThan(Date.now() + 100 * DAY)
  expect(expires).toBeLessThan(Date.now() + 365 * DAY)
  expect(warningsOf(program)).toEqual([expect.stringMatching(/^MAYFLY_PAYMENT_SANDBOX is /)])
})
