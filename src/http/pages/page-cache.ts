import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { PagePayload, RenderedPage } from '#contract/pages.ts'

type Encoding = 'br' | 'gzip' | 'identity'
type Body = string | Buffer

const compress: Record<Encoding, (html: string) => Body | Promise<Body>> = {
  br: (html) => promisify(brotliCompress)(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
  gzip: (html) => promisify(gzip)(html),
  identity: (html) => html,
}

/** The best encoding that a browser takes (RFC 9110 12.5.3); one it refuses with `q=0` is rare enough to go without. */
const encodingOf = (accepted = ''): Encoding =>
  /(?:^|[\s,])br(?:$|[\s,;])/.test(accepted) ? 'br' : /(?:^|[\s,])gzip(?:$|[\s,;])/.test(accepted) ? 'gzip' : 'identity'

/** Pages that are a visitor's own. */
const OWN: ReadonlySet<PagePayload['page']> = new Set([
  'change',
  'error',
  'account',
  'checkout',
  'private',
  'forwarding',
  'forwarded',
])

/** Whether a page is the same for everybody. What is not is neither kept nor compressed (its size would tell of its content). */
export function isShared(payload: PagePayload): boolean {
  const { page, query, problem, site } = payload
  if (site.account !== null) return false
  // Anybody can make up a query; only the name of an article is one of few.
  if (problem !== null || Object.keys(query).some((name) => page !== 'article' || name !== 'slug')) return false
  if (page === 'home') return payload.data.createOnLoad
  return !OWN.has(page)
}

/** Texts follow from the page and its language, and would be most of a key. */
const withoutTexts = (key: string, value: unknown): unknown => (key === 'html' ? undefined : value)

/**
 * Keeps pages that are the same for everybody, each under all that it is rendered from but the time, compressed as browsers
 * want them: at most `max`, the longest unused goes first.
 */
export function createPageCache(render: (payload: PagePayload) => Promise<RenderedPage>, max: number) {
  const kept = new Map<string, Promise<Body>>()

  async function make(payload: PagePayload, encoding: Encoding): Promise<Body> {
    return compress[encoding]((await render(payload)).html)
  }

  return async (payload: PagePayload, accepted?: string): Promise<{ body: Body; encoding: Encoding }> => {
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
