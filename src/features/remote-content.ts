import { MayflyError } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import { type RemoteUrlQuery, type RemoteUrlSigner, verifyRemoteUrl } from '#mail/html/remote-url.ts'

export type { RemoteUrlQuery }

export interface RemoteImage {
  contentType: string
  content: Uint8Array
}

/** Remote images of mails, fetched by the service so that the sender never learns who reads. */
export interface RemoteContent {
  /** For rewriting the URLs of one mail. */
  signer(): RemoteUrlSigner
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
  return {
    signer: () => ({ prefix, key, expiresAt: clock() + urlLifetime }),
    async fetch(query) {
      const url = verifyRemoteUrl(query, { key, now: clock() })
      if (url === undefined) throw new MayflyError('not_found')
      return fetchImage(url)
    },
  }
}
