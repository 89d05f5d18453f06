import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { PagePayload } from '#contract/pages.ts'
import { createPageCache, isShared, type PageCacheBytes } from './page-cache.ts'

const page = (fields: object = {}): PagePayload =>
  ({
    page: 'text',
    lang: 'en',
    path: '/api',
    query: {},
    renderedAt: 1,
    problem: null,
    site: { account: null },
    data: {},
    ...fields,
  }) as PagePayload

function stage(max: PageCacheBytes = { compressed: 100_000, plain: 100_000 }, text = '') {
  const rendered: PagePayload[] = []
  const cache = createPageCache(async (payload) => {
    rendered.push(payload)
    if (payload.path === '/broken') throw new Error('broken')
    return { status: 200, html: `<p>${payload.path}</p>${text}` }
  }, max)
  return { rendered, cache }
}

test('renders a page once', async () => {
  const { rendered, cache } = stage()
  await Promise.all([cache(page()), cache(page({ renderedAt: 2 }))])
  expect((await cache(page({ renderedAt: 3 }))).body).toEqual(Buffer.from('<p>/api</p>'))
  expect(rendered).toHaveLength(1)
})

test('renders a page again for other input', async () => {
  const { rendered, cache } = stage()
  for (const fields of [{}, { lang: 'de' }, { query: { slug: 'a' } }, { data: { a: 1 } }]) await cache(page(fields))
  expect(rendered).toHaveLength(4)
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip;q=0.8', 'gzip'],
  ['zstd', 'identity'],
  [undefined, 'identity'],
])('%s gets %s', async (accepted, encoding) => {
  const { cache } = stage()
  const answer = await cache(page(), accepted)
  expect(answer.encoding).toBe(encoding)
  const plain = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body }[answer.encoding]
  expect(String(plain(answer.body))).toBe('<p>/api</p>')
})

test('drops the least recently used page first', async () => {
  const { rendered, cache } = stage({ compressed: 0, plain: 25_000 }, 'x'.repeat(10_000))
  for (const path of ['/a', '/b', '/a', '/c', '/a', '/b']) await cache(page({ path }))
  expect(rendered.map(({ path }) => path)).toEqual(['/a', '/b', '/c', '/b'])
})

describe('the bytes of the pages that are kept', () => {
  const PAGES = Array.from({ length: 100 }, (_, i) => page({ path: `/${i}` }))

  test.each(['br', 'gzip', undefined])('are at most the maximum, with Accept-Encoding: %s', async (accepted) => {
    const { rendered, cache } = stage({ compressed: 200_000, plain: 200_000 }, randomBytes(20_000).toString('latin1'))
    let bytes = 0
    for (const each of PAGES) bytes = Math.max(bytes, (await cache(each, accepted)).body.byteLength)
    rendered.length = 0
    for (const each of PAGES.toReversed()) await cache(each, accepted)
    const kept = PAGES.length - rendered.length
    expect(kept).toBeGreaterThan(1)
    expect(kept * bytes).toBeLessThanOrEqual(200_000)
  })

  test('of compressed pages stay when pages are read without compression', async () => {
    const { rendered, cache } = stage({ compressed: 100_000, plain: 50_000 }, 'x'.repeat(10_000))
    const common = PAGES.slice(0, 20)
    const readCommon = async () => {
      for (const each of common) for (const accepted of ['gzip', 'gzip, deflate, br, zstd']) await cache(each, accepted)
    }
    await readCommon()
    for (const each of PAGES) await cache(each)
    rendered.length = 0
    await readCommon()
    expect(rendered).toEqual([])
  })

  test('are no limit for what is asked for at once', async () => {
    const { rendered, cache } = stage({ compressed: 0, plain: 25_000 }, 'x'.repeat(10_000))
    const all = await Promise.all(PAGES.map((each) => cache(each)))
    expect(all.map(({ body }) => String(body).slice(0, 10))).toEqual(
      PAGES.map(({ path }) => `<p>${path}</p>xxx`.slice(0, 10)),
    )
    rendered.length = 0
    for (let i = 0; i < 2; i++) for (const each of PAGES.slice(50, 52)) await cache(each)
    expect(rendered).toHaveLength(2)
  })

  test('are none if nothing may be kept, or if a page is larger than all', async () => {
    for (const max of [0, 5000]) {
      const { rendered, cache } = stage({ compressed: max, plain: max }, 'x'.repeat(10_000))
      for (let i = 0; i < 2; i++) expect((await cache(page())).body).toHaveLength(10_011)
      expect(rendered).toHaveLength(2)
    }
  })
})

test('retries a failed rendering', async () => {
  const { rendered, cache } = stage()
  await expect(cache(page({ path: '/broken' }))).rejects.toThrow('broken')
  await expect(cache(page({ path: '/broken' }))).rejects.toThrow('broken')
  expect(rendered).toHaveLength(2)
})

test.each([
  [{}, true],
  [{ page: 'article', query: { slug: 'a' } }, true],
  [{ query: { x: '1' } }, false],
  [{ query: { slug: 'a' } }, false],
  [{ problem: { code: 'internal' } }, false],
  [{ page: 'home', data: { createOnLoad: true, address: null } }, true],
  [{ page: 'home', data: { createOnLoad: false, address: {} } }, false],
  [{ page: 'change' }, false],
  [{ site: { account: { active: true } } }, false],
  [{ site: { account: { active: false } } }, false],
  [{ page: 'error' }, false],
  [{ page: 'account' }, false],
  [{ page: 'checkout' }, false],
])('%j is the same for everybody: %s', (fields, shared) => expect(isShared(page(fields))).toBe(shared))
