import { createHmac, timingSafeEqual } from 'node:crypto'
import { remoteUrl } from './remote-url.ts'

export interface RemoteUrlSigner {
  /** The path of the proxy, such as `/proxy`. */
  prefix: string
  key: Uint8Array
  /** Milliseconds since the epoch. */
  expiresAt: number
}

export interface RemoteUrlQuery {
  u?: string | undefined
  e?: string | undefined
  s?: string | undefined
}

const sign = (key: Uint8Array, url: string, expires: string): Buffer =>
  createHmac('sha256', key).update(`remote content\n${expires}\n${url}`).digest()

/**
 * Returns a signed URL of the service's proxy for remote content. Senders do not learn the reader's IP address, and the
 * proxy cannot be used for URLs that are not in a message. Undefined if `reference` is not http or https.
 */
export function signRemoteUrl(reference: string, { prefix, key, expiresAt }: RemoteUrlSigner): string | undefined {
  const url = remoteUrl(reference)
  if (url === undefined) return undefined
  const e = String(expiresAt)
  const s = sign(key, url, e).toString('base64url')
  return `${prefix}?u=${Buffer.from(url).toString('base64url')}&e=${e}&s=${s}`
}

/**
 * Returns the URL in a query that `signRemoteUrl` created with the same key. Undefined if the query is invalid or
 * expired.
 */
export function verifyRemoteUrl(
  query: RemoteUrlQuery,
  { key, now }: { key: Uint8Array; now: number },
): string | undefined {
  const { u = '', e = '', s = '' } = query
  const url = Buffer.from(u, 'base64url').toString()
  const given = Buffer.from(s, 'base64url')
  const expected = sign(key, url, e)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return Number(e) > now ? remoteUrl(url) : undefined
}
