import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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

/**
 * Caches pages that are the same for everybody, compressed for browsers. The key contains everything that a page is
 * rendered from except the time. Keeps at most `max` pages and drops the least recently used one first.
 */
export function createPageCache(render: (payload: PagePayload) => Promise<RenderedPage>, max: number) {
  const kept = new Map<string, Promise<Buffer>>()

  async function make(payload: PagePayload, encoding: Encoding): Promise<Buffer> {
    return encode[encoding]((await render(payload)).html)
  }

  return async (payload: PagePayload, accepted?: string): Promise<{ body: Buffer; encoding: Encoding }> => {
    const encoding = encodingOf(accepted)
    const key = `${encoding} ${JSON.stringify({ ...payload, renderedAt: 0 }, withoutTexts)}`
    const body = kept.get(key) ?? make(payload, encoding)
    kept.delete(key)
    kept.set(key, body)
    const [oldest] = kept.keys()
    if (kept.size > max && oldest !== undefined) kept.delete(oldest)
    try {
      return { body: await body, encoding }
    } catch (error) {
      kept.delete(key)
      throw error
    }
  }
}
