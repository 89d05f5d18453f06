import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { allowedAddress, pinTo, type Resolve, resolveHost } from './pinned-address.ts'
import { isPublicAddress } from './public-address.ts'

export interface PublicHosts {
  /** Which IP addresses may be connected to. Default: public ones. Tests allow the loopback address. */
  allowAddress?: ((address: string) => boolean) | undefined
  /** Which ports may be connected to. Default: 80 and 443. */
  allowPort?: ((port: number) => boolean) | undefined
  resolve?: Resolve | undefined
}

/** The request is not made. The message says why, and nothing about private networks. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
}

const isWebPort = (port: number): boolean => port === 80 || port === 443

/** Returns the IP address to connect to. Throws `RefusedRequest`. */
async function addressOf(url: URL, hosts: PublicHosts, signal: AbortSignal): Promise<string> {
  const { allowAddress = isPublicAddress, allowPort = isWebPort, resolve = resolveHost } = hosts
  const secure = url.protocol === 'https:'
  if (!secure && url.protocol !== 'http:') throw new RefusedRequest('Only http and https')
  if (url.username || url.password) throw new RefusedRequest('No credentials')
  if (!allowPort(Number(url.port) || (secure ? 443 : 80))) throw new RefusedRequest('The port is not allowed')
  // Names that do not exist and names of private hosts get the same answer: which names a network has is its secret.
  const allowed = allowedAddress(url, resolve, allowAddress).catch(() => undefined)
  const address = await Promise.race([allowed, abortOf(signal)])
  if (address === undefined) throw new RefusedRequest('The host does not exist or is not allowed')
  return address
}

/**
 * Sends a request without a body to a public host, and resolves as soon as the headers of the response are there. It
 * checks the IP address and connects to exactly that address, so a later DNS response has no effect. Redirects are not
 * followed. The signal also ends the DNS look-up. Rejects with `RefusedRequest` or an error of the connection.
 */
export async function requestPublic(
  url: URL,
  { method, headers, signal }: { method: 'GET' | 'HEAD'; headers: Record<string, string>; signal: AbortSignal },
  hosts: PublicHosts,
): Promise<IncomingMessage> {
  const lookup = pinTo(await addressOf(url, hosts, signal))
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolveResponse, reject) => {
    const request = send(url, { method, headers, lookup, signal, agent: false })
    request.once('response', resolveResponse).on('error', reject).end()
  })
}

/** Returns the URL that a response redirects to. */
export function redirectOf({ statusCode = 0, headers }: IncomingMessage, url: URL): URL | undefined {
  const next = statusCode >= 300 && statusCode < 400 ? headers.location : undefined
  return next === undefined ? undefined : (URL.parse(next, url) ?? undefined)
}

/** Returns a promise that rejects when the signal aborts. */
export function abortOf(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_done, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  aborted.catch(() => {})
  return aborted
}
