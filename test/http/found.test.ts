import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import { USER_AGENT } from '#test/support/program/browser.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { schemaFaults } from '#test/support/schema-org.ts'
import { CARDS } from '#web/document/card.ts'

const SITE = 'https://mayfly.example'
let program: Program
let xml: string
/** Paths of all pages in the sitemap. */
let paths: string[]
beforeAll(async () => {
  const env = { MAYFLY_PUBLIC_URL: SITE, MAYFLY_PAYMENT_SANDBOX: 'on-public-site', MAYFLY_PREMIUM_MONTH_CENTS: '1250' }
  program = await startProgram({ env: { ...WITHOUT_LIMITS, ...env } })
  xml = await text('/sitemap.xml')
  paths = [...xml.matchAll(/<loc>https:\/\/mayfly\.example(.*?)<\/loc>/g)].map(([, path = '']) => path)
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

describe.each(languages)('in $code', ({ code }) => {
  const isOwn = (path: string) =>
    code === 'zh' ? !/^\/(?:[a-z]{2}|zh-TW)(?:\/|$)/.test(path) : `${path}/`.startsWith(`/${code}/`)

  test('each page has one first heading before all others, and valid structured data', async () => {
    const own = paths.filter(isOwn)
    expect(own.length).toBeGreaterThan(15)
    for (const path of own) {
      const html = await text(path)
      const levels = [...html.matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => level)
      expect([path, levels[0], levels.filter((level) => level === '1').length]).toEqual([path, '1', 1])
      expect([path, schemaFaults(graphOf(html))]).toEqual([path, []])
      expect(html).toMatch(/<meta property="og:image:alt" content="Mayfly: \S[^"]+">/)
    }
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
  expect(offers[0]).toMatchObject({ price: '12.50', priceCurrency: 'USD', url: `${SITE}/en/premium` })
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

test('/llms.txt lists the pages and articles, which exist', async () => {
  const list = await text('/llms.txt')
  expect(list).toMatch(/^# Mayfly\n\n> \S/)
  const links = [...list.matchAll(/^- \[[^\]]+\]\(https:\/\/mayfly\.example(\S+)\): \S/gm)].map(([, path = '']) => path)
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
