import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isLoopback } from '#core/networks.ts'
import type { WebhookPost } from '#core/webhooks/webhook.ts'
import { allowedAddress, hostOf, LOCAL_HOST, pinTo, type Resolve, resolveHost } from './pinned-address.ts'
import { isPublicAddress } from './public-address.ts'
import { abortOf } from './public-request.ts'

export interface WebhookPostOptions {
  /** Timeout of the whole call including the DNS look-up, in milliseconds. */
  timeout: number
  /** The URL of the site in the settings. Only a site on localhost may call localhost, and there also without TLS. */
  configuredSite: string
  /** Which IP addresses are public. Tests allow others. */
  isPublic?: (address: string) => boolean
  resolve?: Resolve
}

/** How much of a response is read before the connection is closed. The content is ignored. */
const RESPONSE_MAX_BYTES = 64 * 1024

/**
 * Calls URLs that subscribers entered or browsers sent, and never connects to private addresses, even if the DNS
 * response changes between check and connection.
 */
export function createWebhookPost({
  timeout,
  configuredSite,
  isPublic = isPublicAddress,
  resolve = resolveHost,
}: WebhookPostOptions): WebhookPost {
  const isLocalSite = LOCAL_HOST.test(hostOf(new URL(configuredSite)))
  const isLocal = (url: URL): boolean => isLocalSite && LOCAL_HOST.test(hostOf(url))

  /** Returns the IP address to connect to. Rejects if the URL is not allowed. */
  async function addressOf(url: URL, aborted: Promise<never>): Promise<string> {
    const local = isLocal(url)
    const secure = url.protocol === 'https:'
    if (!(secure || (local && url.protocol === 'http:')) || url.username || url.password) throw new Error('Not allowed')
    const address = await Promise.race([allowedAddress(url, resolve, local ? isLoopback : isPublic), aborted])
    if (address === undefined) throw new Error('The host does not exist or is not allowed')
    return address
  }

  async function post(url: URL, headers: Record<string, string>, body: string | Uint8Array, signal: AbortSignal) {
    const address = await addressOf(url, abortOf(signal))
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise<IncomingMessage>((resolveResponse, reject) => {
      const options = { method: 'POST', headers, lookup: pinTo(address), signal, agent: false }
      send(url, options).once('response', resolveResponse).on('error', reject).end(body)
    })
  }

  return {
    async allows(text) {
      const url = URL.parse(text)
      if (!url) return false
      const found = addressOf(url, abortOf(AbortSignal.timeout(timeout)))
      return found.then(
        () => true,
        () => false,
      )
    },

    async send(url, headers, body) {
      const allHeaders = {
        ...headers,
        'content-length': String(Buffer.byteLength(body)),
        'accept-encoding': 'identity',
      }
      const response = await post(new URL(url), allHeaders, body, AbortSignal.timeout(timeout))
      await drain(response)
      return { status: response.statusCode ?? 0, location: response.headers.location }
    },
  }
}

/** Reads the response up to the limit. Errors are ignored, because only the status counts. */
async function drain(response: IncomingMessage): Promise<void> {
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > RESPONSE_MAX_BYTES) break
    }
  } catch {
    // The connection was lost or timed out.
  } finally {
    response.destroy()
  }
}
