import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { PagePayload } from '#contract/pages.ts'
import { createPageCache, isShared } from './page-cache.ts'

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

function stage(max = 10) {
  const rendered: PagePayload[] = []
  const cache = createPageCache(async (payload) => {
    rendered.push(payload)
    if (payload.path === '/broken') throw new Error('broken')
    return { status: 200, html: `<p>${payload.path}</p>` }
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
  const { rendered, cache } = stage(2)
  for (const path of ['/a', '/b', '/a', '/c', '/a', '/b']) await cache(page({ path }))
  expect(rendered.map(({ path }) => path)).toEqual(['/a', '/b', '/c', '/b'])
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
  [{ site: { account: { active: true } } }, false],
])('%j is the same for everybody: %s', (fields, shared) => expect(isShared(page(fields))).toBe(shared))
