import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { MayflyError } from '#core/errors.ts'
import { imageType } from '#core/image-type.ts'
import { allowedAddress, pinTo, type Resolve, resolveHost } from './pinned-address.ts'
import { isPublicAddress } from './public-address.ts'

export interface RemoteFetchOptions {
  maxBytes: number
  /** Timeout of the whole request including redirects, in milliseconds. */
  timeout: number
  /** Concurrent requests. Further ones are rejected, because each may use `maxBytes` of memory. */
  maxAtOnce: number
  /** Which IP addresses may be connected to. Tests allow the loopback address. */
  allowAddress?: (address: string) => boolean
  /** Which ports may be connected to. Default: 80 and 443. */
  allowPort?: (port: number) => boolean
  resolve?: Resolve
}

export interface FetchedImage {
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
 * Returns a function that fetches a remote image. On each hop of a redirect it checks the IP address and connects to
 * exactly that address, so a later DNS response has no effect. Rejects with `remote_content_failed`.
 */
export function createRemoteFetch({
  maxBytes,
  timeout,
  maxAtOnce,
  allowAddress = isPublicAddress,
  allowPort = (port) => port === 80 || port === 443,
  resolve = resolveHost,
}: RemoteFetchOptions): (url: string) => Promise<FetchedImage> {
  let active = 0

  async function addressOf(url: URL, aborted: Promise<never>): Promise<string> {
    const secure = url.protocol === 'https:'
    if (!secure && url.protocol !== 'http:') throw failed('Only http and https')
    if (url.username || url.password) throw failed('No credentials')
    if (!allowPort(Number(url.port) || (secure ? 443 : 80))) throw failed('The port is not allowed')
    // The timeout includes the DNS look-up.
    const allowed = allowedAddress(url, resolve, allowAddress).catch(() => undefined)
    const address = await Promise.race([allowed, aborted])
    if (address === undefined) throw failed('The host is not allowed')
    return address
  }

  async function get(url: URL, signal: AbortSignal, aborted: Promise<never>): Promise<IncomingMessage> {
    const lookup = pinTo(await addressOf(url, aborted))
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise((resolveResponse, reject) => {
      const request = send(url, { method: 'GET', headers: HEADERS, lookup, signal, agent: false })
      request.once('response', resolveResponse).once('error', reject).end()
    })
  }

  async function follow(start: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const aborted = new Promise<never>((_done, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    aborted.catch(() => {})
    let url = start
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await get(url, signal, aborted)
      const { statusCode = 0, headers } = response
      if (statusCode === 200) return response
      response.destroy()
      const next = statusCode >= 300 && statusCode < 400 ? headers.location : undefined
      if (next === undefined || !URL.canParse(next, url)) throw failed(`The host answered ${statusCode}`)
      url = new URL(next, url)
    }
    throw failed('Too many redirects')
  }

  return async (url) => {
    if (active >= maxAtOnce) throw failed('Too many images at one time')
    active++
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
      throw failed(signal.aborted ? 'The host took too long' : 'The host could not be reached')
    } finally {
      active--
    }
  }
}
