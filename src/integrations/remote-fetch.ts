import type { IncomingMessage } from 'node:http'
import { MayflyError } from '#core/errors.ts'
import { imageType } from '#core/image-type.ts'
import { type PublicHosts, redirectOf, RefusedRequest, requestPublic } from './public-request.ts'

interface RemoteFetchOptions extends PublicHosts {
  maxBytes: number
  /** Timeout of the whole request including redirects, in milliseconds. */
  timeout: number
}

interface FetchedImage {
  contentType: string
  content: Uint8Array
}

const MAX_REDIRECTS = 3
/** Header fields that reveal nothing about the reader or the service. */
const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; image proxy)',
  accept: 'image/*',
  'accept-encoding': 'identity',
}

const failed = (detail: string): MayflyError => new MayflyError('remote_content_failed', detail)

/**
 * Returns a function that fetches a remote image. On each hop of a redirect it checks the IP address. Rejects with
 * `remote_content_failed`.
 */
export function createRemoteFetch({
  maxBytes,
  timeout,
  ...hosts
}: RemoteFetchOptions): (url: string) => Promise<FetchedImage> {
  async function follow(start: URL, signal: AbortSignal): Promise<IncomingMessage> {
    let url = start
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await requestPublic(url, { method: 'GET', headers: HEADERS, signal }, hosts)
      if (response.statusCode === 200) return response
      response.destroy()
      const next = redirectOf(response, url)
      if (!next) throw failed(`The host answered ${response.statusCode}`)
      url = next
    }
    throw failed('Too many redirects')
  }

  return async (url) => {
    const signal = AbortSignal.timeout(timeout)
    try {
      const response = await follow(new URL(url), signal)
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > maxBytes) {
          response.destroy()
          throw failed('The image is too large')
        }
        chunks.push(chunk)
      }
      const content = Buffer.concat(chunks)
      const contentType = imageType(content)
      if (contentType === undefined) throw failed('Not an image')
      return { contentType, content }
    } catch (error) {
      if (error instanceof MayflyError) throw error
      if (error instanceof RefusedRequest) throw failed(error.message)
      throw failed(signal.aborted ? 'The host took too long' : 'The host could not be reached')
    }
  }
}
