import { MayflyError } from '#core/errors.ts'
import type { Clock } from '#core/time.ts'
import { type RemoteUrlQuery, type RemoteUrlSigner, signRemoteUrl, verifyRemoteUrl } from '#mail/html/signed-url.ts'

export type { RemoteUrlQuery }

export interface RemoteImage {
  contentType: string
  content: Uint8Array
}

/** Remote images of mails, fetched by the service so that the sender never learns who reads. */
export interface RemoteContent {
  /** For rewriting the URLs of one mail. */
  signer(): RemoteUrlSigner
  /** URLs of the proxy for these, in their order, for a browser that rewrites a mail itself; null for what is not http or https. */
  sign(urls: readonly string[]): (string | null)[]
  /** Throws `not_found` for a query that the signer did not make or that expired, `remote_content_failed` for the rest. */
  fetch(query: RemoteUrlQuery): Promise<RemoteImage>
}

export interface RemoteContentDeps {
  key: Uint8Array
  clock: Clock
  /** Path of the proxy. */
  prefix: string
  /** How long a signed URL works, in milliseconds. */
  urlLifetime: number
  fetchImage: (url: string) => Promise<RemoteImage>
}

export function createRemoteContent({ key, clock, prefix, urlLifetime, fetchImage }: RemoteContentDeps): RemoteContent {
  const signer = (): RemoteUrlSigner => ({ prefix, key, expiresAt: clock() + urlLifetime })
  return {
    signer,
    sign(urls) {
      const own = signer()
      return urls.map((url) => signRemoteUrl(url, own) ?? null)
    },
    async fetch(query) {
      const url = verifyRemoteUrl(query, { key, now: clock() })
      if (url === undefined) throw new MayflyError('not_found')
      return fetchImage(url)
    },
  }
}
