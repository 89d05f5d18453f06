import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import ipaddr from 'ipaddr.js'
import type { WebhookPost } from '#core/webhooks/webhook.ts'
import { allowedAddress, hostOf, pinTo, type Resolve, resolveHost } from './pinned-address.ts'
import { isPublicAddress } from './public-address.ts'

export interface WebhookPostOptions {
  /** Timeout of everything including the look-up of the host, in milliseconds. */
  timeout: number
  /** The URL of the site in the settings. Only a site on localhost posts to localhost, and there also without TLS. */
  configuredSite: string
  /** Returns whether an address is on the public internet. Tests allow others. */
  isPublic?: (address: string) => boolean
  resolve?: Resolve
}

/** This much of a response is read, so that a polite server is not cut off. Its content is ignored. */
const ANSWER_MAX_BYTES = 64 * 1024
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** Posts to URLs that subscribers chose, never to private addresses, whatever a second DNS response says. */
export function createWebhookPost({
  timeout,
  configuredSite,
  isPublic = isPublicAddress,
  resolve = resolveHost,
}: WebhookPostOptions): WebhookPost {
  const isHere = LOCAL_HOST.test(hostOf(new URL(configuredSite)))
  const isLocal = (url: URL): boolean => isHere && LOCAL_HOST.test(hostOf(url))

  /** Returns the address to connect to. Rejects if the URL is not allowed. */
  async function addressOf(url: URL, aborted: Promise<never>): Promise<string> {
    const local = isLocal(url)
    const secure = url.protocol === 'https:'
    if (!(secure || (local && url.protocol === 'http:')) || url.username || url.password) throw new Error('Not allowed')
    const address = await Promise.race([allowedAddress(url, resolve, local ? isLoopback : isPublic), aborted])
    if (address === undefined) throw new Error('The host is not allowed')
    return address
  }

  async function post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal) {
    const address = await addressOf(url, abortOf(signal))
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise<IncomingMessage>((done, reject) => {
      const options = { method: 'POST', headers, lookup: pinTo(address), signal, agent: false }
      send(url, options).once('response', done).on('error', reject).end(body)
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
      const sent = { ...headers, 'content-length': String(Buffer.byteLength(body)), 'accept-encoding': 'identity' }
      const response = await post(new URL(url), sent, body, AbortSignal.timeout(timeout))
      await drain(response)
      return response.statusCode ?? 0
    },
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_done, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  aborted.catch(() => {})
  return aborted
}

/** Reads the response to its end or up to the limit. Only its status matters. */
async function drain(response: IncomingMessage): Promise<void> {
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > ANSWER_MAX_BYTES) break
    }
  } catch {
    // The response broke off or took too long.
  } finally {
    response.destroy()
  }
}
