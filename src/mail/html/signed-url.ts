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
 * A URL of the service's own proxy for remote content, so that the sender never learns the reader's address and nobody
 * can use the proxy for anything that no mail contains. Undefined where `reference` is not http or https.
 */
export function signRemoteUrl(reference: string, { prefix, key, expiresAt }: RemoteUrlSigner): string | undefined {
  const url = remoteUrl(reference)
  if (url === undefined) return undefined
  const e = String(expiresAt)
  const s = sign(key, url, e).toString('base64url')
  return `${prefix}?u=${Buffer.from(url).toString('base64url')}&e=${e}&s=${s}`
}

/** The URL of a query that `signRemoteUrl` made with the same key and that has not expired; else undefined. */
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
