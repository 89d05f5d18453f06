import { LRUCache } from 'lru-cache'
import { MayflyError } from '#core/errors.ts'
import { visitorNetworks } from '#core/networks.ts'
import type { Clock } from '#core/time.ts'
import { createKeyedSlots, createSlots } from '#lib/slots.ts'
import { type RemoteUrlQuery, type RemoteUrlSigner, signRemoteUrl, verifyRemoteUrl } from '#mail/html/signed-url.ts'

export type { RemoteUrlQuery }

interface RemoteImage {
  contentType: string
  content: Uint8Array
}

/**
 * An image is requested twice: by the frame that shows the message, and by the frame that measures it. Its host must
 * see one request. Failures are not kept.
 */
const KEPT = { ttl: 60_000, maxSize: 32 * 1024 * 1024 }

/** Fetches the remote images of messages, so that the sender does not learn who reads them. */
export interface RemoteContent {
  /** Returns the parameters with which the URLs of one message are signed. */
  signer(): RemoteUrlSigner
  /**
   * Returns the proxy URLs of `urls`, in the same order, for a browser that rewrites a message itself. A URL that is
   * not http or https becomes null.
   */
  sign(urls: readonly string[]): (string | null)[]
  /**
   * Throws `not_found` if the signature is invalid or expired, and `remote_content_failed` if the image cannot be
   * fetched. `ip`: the address of the visitor, who shares the fetches with others.
   */
  fetch(query: RemoteUrlQuery, ip: string): Promise<RemoteImage>
}

interface RemoteContentDeps {
  key: Uint8Array
  clock: Clock
  /** The path of the proxy. */
  prefix: string
  /** How long a signed URL is valid, in milliseconds. */
  urlLifetime: number
  fetchImage: (url: string) => Promise<RemoteImage>
  /** Images that are fetched at once and that wait, in total and for one visitor. Each may use some MB of memory. */
  slots: Record<'all' | 'visitor', { atOnce: number; maxWaiting: number }>
}

export function createRemoteContent(deps: RemoteContentDeps): RemoteContent {
  const { key, clock, prefix, urlLifetime, fetchImage, slots } = deps
  const refusal = (): MayflyError => new MayflyError('remote_content_failed', 'Too many images at one time')
  const all = createSlots({ ...slots.all, refusal })
  const visitors = createKeyedSlots({ ...slots.visitor, refusal })

  /** Fetches an image when it is the visitor's turn. Slow hosts do not keep other visitors from their images. */
  const fetchInTurn = (url: string, visitor: string): Promise<RemoteImage> =>
    visitors.run(visitor, () => all.run(() => fetchImage(url)))

  const images = new LRUCache<string, RemoteImage, string>({
    ...KEPT,
    sizeCalculation: ({ content }) => content.length + 1,
    fetchMethod: (url, _old, { context: visitor }) => fetchInTurn(url, visitor),
  })
  const signer = (): RemoteUrlSigner => ({ prefix, key, expiresAt: clock() + urlLifetime })
  return {
    signer,
    sign(urls) {
      const urlSigner = signer()
      return urls.map((url) => signRemoteUrl(url, urlSigner) ?? null)
    },
    async fetch(query, ip) {
      const url = verifyRemoteUrl(query, { key, now: clock() })
      if (url === undefined) throw new MayflyError('not_found')
      const image = await images.fetch(url, { context: visitorNetworks(ip)[0]?.name ?? ip })
      if (!image) throw new MayflyError('remote_content_failed')
      return image
    },
  }
}
