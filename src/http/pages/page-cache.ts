import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { PagePayload } from '#contract/pages.ts'
import type { RenderedPage } from '#contract/render.ts'

type Encoding = 'br' | 'gzip' | 'identity'

/** Bytes, so that no request encodes the text again. */
const encode: Record<Encoding, (html: string) => Buffer | Promise<Buffer>> = {
  br: (html) => promisify(brotliCompress)(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
  gzip: (html) => promisify(gzip)(html),
  identity: (html) => Buffer.from(html),
}

/** The best encoding that the browser accepts (RFC 9110 12.5.3). Refusals by `q=0` are rare and ignored. */
const encodingOf = (accepted = ''): Encoding =>
  /(?:^|[\s,])br(?:$|[\s,;])/.test(accepted) ? 'br' : /(?:^|[\s,])gzip(?:$|[\s,;])/.test(accepted) ? 'gzip' : 'identity'

/** Pages with content of one visitor. */
const OWN: ReadonlySet<PagePayload['page']> = new Set([
  'change',
  'error',
  'account',
  'checkout',
  'private',
  'forwarding',
  'forwarded',
])

/**
 * Whether a page is the same for everybody. Other pages are neither cached nor compressed, because the compressed size
 * would reveal content.
 */
export function isShared(payload: PagePayload): boolean {
  const { page, query, problem, site } = payload
  if (site.account !== null) return false
  // Queries can be made up by anyone. Only the name of an article is one of few.
  if (problem !== null || Object.keys(query).some((name) => page !== 'article' || name !== 'slug')) return false
  if (page === 'home') return payload.data.createOnLoad
  return !OWN.has(page)
}

/** Texts follow from the page and its language, and would be most of the key. */
const withoutTexts = (key: string, value: unknown): unknown => (key === 'html' ? undefined : value)

/** The most bytes of pages to keep, of those in a common encoding and of those without compression. */
export interface PageCacheBytes {
  compressed: number
  plain: number
}

interface Wanted {
  payload: PagePayload
  encoding: Encoding
}

/** What an entry takes beside its page: its key, and the records of the cache. */
const ENTRY_BYTES = 500

/**
 * Caches pages that are the same for everybody, compressed for browsers. The key contains everything that a page is
 * rendered from except the time. Drops the least recently used page first. Few clients read pages without compression,
 * which are five times larger, so those don't displace the others.
 */
export function createPageCache(render: (payload: PagePayload) => Promise<RenderedPage>, max: PageCacheBytes) {
  const pages = (bytes: number) =>
    new LRUCache<string, Buffer, Wanted>({
      // A cache of one byte keeps nothing. 0 would be no limit.
      maxSize: Math.max(1, bytes),
      sizeCalculation: ({ byteLength }) => byteLength + ENTRY_BYTES,
      fetchMethod: async (_key, _stale, { context: { payload, encoding } }) =>
        encode[encoding]((await render(payload)).html),
      // Whoever waits for a page gets it, even if it is dropped meanwhile.
      ignoreFetchAbort: true,
    })
  const compressed = pages(max.compressed)
  const kept = { br: compressed, gzip: compressed, identity: pages(max.plain) }

  return async (payload: PagePayload, accepted?: string): Promise<{ body: Buffer; encoding: Encoding }> => {
    const encoding = encodingOf(accepted)
    const input = `${encoding} ${JSON.stringify({ ...payload, renderedAt: 0 }, withoutTexts)}`
    // The input has several kilobytes.
    const key = hash('sha256', input, 'base64')
    return { body: await kept[encoding].forceFetch(key, { context: { payload, encoding } }), encoding }
  }
}
