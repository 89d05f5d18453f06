import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PagePayload } from '#contract/pages.ts'
import { languages, pathIn } from '#locales/languages.ts'
import { USER_AGENT } from '#test/support/program/browser.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const PATHS = [
  '/',
  '/api',
  '/terms',
  '/change',
  '/contact',
  '/privacy',
  '/problem',
  '/articles',
  '/articleDetail?slug=spotting-phishing',
  '/10-minute-mail',
  '/email-generator',
  '/apps',
  '/premium',
]
let program: Program
beforeAll(async () => {
  program = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_PUBLIC_URL: 'https://mayfly.example' } })
})
afterAll(() => program.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${program.httpPort}${path}`, {
    redirect: 'manual',
    headers: { 'user-agent': USER_AGENT, ...headers },
  })
const payloadAt = async (path: string): Promise<PagePayload> => {
  const [pathname = '', query] = pathIn('en', path).split('?')
  return (await get(`${pathname}/_payload.json${query ? `?${query}` : ''}`)).json() as Promise<PagePayload>
}

describe.each(languages)('in $code', ({ code, tag, dir }) => {
  test('every page exists, declares its language, and has its own title and description', async () => {
    const titles = new Set<string>()
    const descriptions = new Set<string>()
    for (const path of PATHS) {
      const response = await get(pathIn(code, path))
      const html = await response.text()
      expect([path, response.status]).toEqual([path, 200])
      expect(html).toContain(`<html lang="${tag}" dir="${dir}"`)
      titles.add(/<title>(.+?)<\/title>/.exec(html)?.[1] ?? '')
      descriptions.add(/<meta name="description" content="(.+?)">/.exec(html)?.[1] ?? '')
    }
    expect([titles.size, descriptions.size]).toEqual([PATHS.length, PATHS.length])
  })
})

test('/favicon.ico is an icon', async () => {
  const response = await get('/favicon.ico')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^image\/(vnd\.microsoft\.icon|x-icon)/)
  // The signature of an ICO file.
  expect([...new Uint8Array(await response.arrayBuffer()).subarray(0, 4)]).toEqual([0, 0, 1, 0])
})

test('every language has its messages, and there are at least 33', async () => {
  const files = await readdir(join(import.meta.dirname, '../../locales'))
  const codes = files.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
  expect(languages.map(({ code }) => code).toSorted()).toEqual(codes.toSorted())
  expect(languages.length).toBeGreaterThanOrEqual(33)
  expect(languages.find(({ code }) => code === 'kh')?.locale).toBe('km-KH')
  expect(languages.find(({ code }) => code === 'ar')).toMatchObject({ locale: 'ar-AR', tag: 'ar' })
  expect(languages.filter(({ dir }) => dir === 'rtl').map(({ code }) => code)).toEqual(['ar', 'ur', 'fa'])
})

test.each([
  ['/zh', '/'],
  ['/zh/', '/'],
  ['/zh/contact?reason=press', '/contact?reason=press'],
])('%s redirects permanently to %s', async (from, to) => {
  const response = await get(from)
  expect([response.status, response.headers.get('location')]).toEqual([301, to])
})

test.each([
  '/xx',
  '/xx/contact',
  '/EN/contact',
  '/articleDetail',
  '/articleDetail?slug=nothing',
  '/en/faq',
  '/en/nothing',
])('%s does not exist', async (path) => expect((await get(path)).status).toBe(404))

describe('the Chinese FAQ', () => {
  const hrefs = (html: string): string[] =>
    Array.from(html.matchAll(/<(?:a|link)\b[^>]*? href="([^"]+)"/g), ([, href = '']) => href.replaceAll('&amp;', '&'))

  test.each(languages)('links to the questions in $code', async ({ code, tag }) => {
    const html = await (await get('/faq')).text()
    const [, href] = new RegExp(`<a href="([^"]+)" hrefLang="${tag}"`, 'i').exec(html) ?? []
    expect(href).toBe(code === 'zh' ? '/faq' : `/${code}/problem#faq`)
    const page = await get(href ?? '')
    expect(page.status).toBe(200)
    if (code !== 'zh') expect(await page.text()).toContain('id="faq"')
  })

  test.each(['/faq', '/en/faq'])('no link on %s is broken', async (path) => {
    const links = hrefs(await (await get(path)).text())
    const own = links.map((href) => href.replace('https://mayfly.example', '')).filter((href) => href.startsWith('/'))
    expect(new Set(own).size).toBeGreaterThan(50)
    for (const href of new Set(own)) expect([href, (await get(href)).status]).toEqual([href, 200])
  })

  test('declares no other languages', async () => {
    const html = await (await get('/faq')).text()
    expect(html).toContain('<link rel="canonical" href="https://mayfly.example/faq">')
    expect(html).not.toContain('rel="alternate"')
    expect(await (await get('/sitemap.xml')).text()).not.toMatch(/\/[\w-]+\/faq</)
  })
})

describe('the chosen language', () => {
  const cookieOf = async (path: string, headers: Record<string, string>) =>
    (await get(path, headers)).headers.get('set-cookie')
  const from = (path: string) => ({ referer: `http://127.0.0.1:${program.httpPort}${path}` })

  test.each(languages)('is stored for a year after a switch from another one to $code', async ({ code }) => {
    const cookie = await cookieOf(pathIn(code, '/contact'), from(code === 'en' ? '/contact' : '/en/contact'))
    expect(cookie).toBe(`mayfly_locale=${code}; Max-Age=31536000; Path=/; SameSite=Lax`)
  })

  test.each([
    ['from the FAQ', '/de/problem', '/faq', 'de'],
    ['on an unknown page', '/de/nothing', '/nothing', 'de'],
    ['within the same language', '/de/contact', '/de/terms', null],
  ])('%s', async (_case, path, referer, code) =>
    expect((await cookieOf(path, from(referer)))?.split(';')[0] ?? null).toBe(code && `mayfly_locale=${code}`),
  )

  test.each([
    ['from another site', { referer: 'https://evil.example/en/contact' }],
    ['without a referrer', {}],
    ['with nonsense', { referer: 'contact' }],
  ])('is not stored by a visit %s', async (_case, headers) => expect(await cookieOf('/de/contact', headers)).toBeNull())

  test('is not stored by a prefetch', async () =>
    expect(await cookieOf('/de/contact', { ...from('/en/contact'), 'sec-purpose': 'prefetch' })).toBeNull())

  test('is stored under the public URL too', async () =>
    expect(await cookieOf('/de/contact', { referer: 'https://mayfly.example/en/contact' })).toContain(
      'mayfly_locale=de',
    ))
})

test.each(PATHS)('%s has its payload, with language and query', async (path) => {
  const payload = await payloadAt(path)
  expect(payload).toMatchObject({ lang: 'en', path: path.split('?')[0], problem: null })
  expect(payload.query).toEqual(path.includes('?') ? { slug: 'spotting-phishing' } : {})
  if ('text' in payload.data) expect(payload.data.text.html).toContain('<p>')
})

test('an unknown route is distinguished from a refused one', async () => {
  const message = async (path: string) => ((await get(path)).status === 404 ? (await get(path)).text() : '')
  expect(await message('/en/nothing')).toContain('Page not found: /en/nothing')
  expect(await message('/nothing/at/all?x=1')).toContain('/nothing/at/all<')
  expect(await message('/en/nothing/')).toContain('Page not found: /en/nothing/<')
  expect(await message('/en/articleDetail?slug=no')).toContain('Page Not Found: /en/articleDetail<')
  expect(await message('/en/faq')).toContain('Page Not Found: /en/faq<')
  // Isolated in languages from right to left, where the first slash would move to the other end.
  expect(await message('/ar/nothing')).toContain('\u2066/ar/nothing\u2069')
})

describe('search engines and link previews', () => {
  const head = async (path: string) => (await (await get(path)).text()).split('</head>')[0] ?? ''

  test('get the page in all languages and its canonical URL', async () => {
    const html = await head('/de/articleDetail?slug=ten-minute-mail&x=1')
    expect(html).toContain('<link rel="canonical" href="https://mayfly.example/de/articleDetail?slug=ten-minute-mail">')
    expect(html.match(/rel="alternate" hreflang=/g)).toHaveLength(languages.length + 1)
    expect(html).toContain('hreflang="km" href="https://mayfly.example/kh/articleDetail?slug=ten-minute-mail"')
    expect(html).toContain('hreflang="x-default" href="https://mayfly.example/en/articleDetail?slug=ten-minute-mail"')
  })

  test.each([
    ['/en', ['WebPage', 'WebApplication']],
    ['/en/10-minute-mail', ['WebPage', 'WebApplication', 'BreadcrumbList']],
    ['/en/problem', ['FAQPage', 'BreadcrumbList']],
    ['/faq', ['FAQPage', 'BreadcrumbList']],
    ['/en/apps', ['WebPage', 'BreadcrumbList']],
  ])('get structured data of %s: %j', async (path, types) => {
    const [, json = '{}'] = /<script type="application\/ld\+json">(.+?)<\/script>/s.exec(await head(path)) ?? []
    const graph = (JSON.parse(json) as { '@graph': { '@type': string }[] })['@graph']
    expect(graph.map((each) => each['@type'])).toEqual(['Organization', 'WebSite', ...types])
  })

  test('get a preview image', async () => {
    expect(await head('/en')).toContain('<meta property="og:image" content="https://mayfly.example/cards/en/home.png">')
    expect((await get('/cards/en/home.png')).headers.get('content-type')).toBe('image/png')
  })

  test('get all pages in the sitemap, and all exist', async () => {
    const xml = await (await get('/sitemap.xml')).text()
    const paths = [...xml.matchAll(/<loc>https:\/\/mayfly\.example(.*?)<\/loc>/g)].map(([, path = '']) => path)
    expect(new Set(paths).size).toBe(paths.length)
    // 12 pages and the articles in each language, and the Chinese FAQ.
    const articles = await readdir(join(import.meta.dirname, '../../content/articles'))
    expect(paths).toHaveLength(languages.length * (12 + articles.length) + 1)
    for (const path of paths.filter((_, i) => i % 23 === 0))
      expect([path, (await get(path.replaceAll('&amp;', '&') || '/')).status]).toEqual([path, 200])
    expect(await (await get('/robots.txt')).text()).toContain('Sitemap: https://mayfly.example/sitemap.xml')
  })
})

describe('advertisement slots', () => {
  test('take no space if they are empty', async () => {
    expect(await (await get('/en')).text()).not.toContain('<iframe')
    expect((await get('/ads/top')).status).toBe(404)
  })

  test("show the operator's HTML, isolated from the page", async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mayfly-ad-'))
    const file = join(directory, 'ad.html')
    await writeFile(file, '<p>Buy a boat</p>')
    const env = { ...WITHOUT_LIMITS, MAYFLY_AD_BOTTOM_FILE: file, MAYFLY_AD_BOTTOM_HEIGHT_PIXELS: '120' }
    const other = await startProgram({ env })
    const [page, ad] = await Promise.all([
      fetch(`${other.url}/en`, { headers: { 'user-agent': USER_AGENT } }),
      fetch(`${other.url}/ads/bottom`),
    ])
    expect(await page.text()).toMatch(
      /<iframe sandbox="allow-scripts allow-popups[^"]*" src="\/ads\/bottom"[^>]* height="120"/,
    )
    expect(await ad.text()).toBe('<p>Buy a boat</p>')
    expect(ad.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts allow-popups/)
    expect(ad.headers.get('content-security-policy')).not.toContain('allow-same-origin')
    expect(ad.headers.get('referrer-policy')).toBe('no-referrer')
    await Promise.all([other.stop(), rm(directory, { recursive: true })])
  })
})
