import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import { PATIENCE } from '../program/patience.ts'

interface ReceivedPush {
  headers: IncomingHttpHeaders
  /** The payload, decrypted as a browser does. */
  payload: unknown
  at: number
}

/** Decrypts a push message (RFC 8291, with the content encoding of RFC 8188). */
function decryptPush(body: Buffer, ecdh: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const senderKey = body.subarray(21, 21 + body.readUInt8(20))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey])
  const input = hkdfSync('sha256', ecdh.computeSecret(senderKey), auth, info, 32)
  const derived = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(input), salt, Buffer.from(`Content-Encoding: ${name}\0`), length))
  const sealed = body.subarray(21 + senderKey.length)
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // The last record ends with the delimiter 2 and zeros.
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

/** Returns the claims of a VAPID token, or throws if the key did not sign it (RFC 8292). */
export function vapidClaims(authorization: string, publicKey: string): Record<string, unknown> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  expect(key).toBe(publicKey)
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } as never })
  const [head, claims, signature = ''] = token.split('.')
  const signed = { key: jwk, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url')))
    throw new Error('The VAPID token is not signed with the key')
  return JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()) as Record<string, unknown>
}

/** A push service with the browsers that subscribed to it. It responds as RFC 8030 demands, or as set with `answer`. */
export async function startPushService() {
  const browsers = new Map<
    string,
    { ecdh: ReturnType<typeof createECDH>; auth: Buffer; status: number; named: boolean }
  >()
  const received = new Map<string, ReceivedPush[]>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const body = await buffer(request)
    const browser = browsers.get(path)
    if (!browser) return void response.writeHead(404).end()
    const payload = JSON.parse(decryptPush(body, browser.ecdh, browser.auth)) as unknown
    received.set(path, [...(received.get(path) ?? []), { headers: request.headers, payload, at: Date.now() }])
    response.writeHead(browser.status, browser.named ? { location: `${origin}/message/1` } : {}).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`

  return {
    origin,
    /** A new browser with its subscription. */
    browser() {
      const path = `/send/${randomBytes(16).toString('base64url')}`
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const auth = randomBytes(16)
      const state = { ecdh, auth, status: 201, named: true }
      browsers.set(path, state)
      const pushes = (): ReceivedPush[] => received.get(path) ?? []
      return {
        subscription: {
          endpoint: origin + path,
          keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
        },
        pushes,
        /** `named`: whether responses name the message that they created. */
        answer: (status: number, named = status === 201) => void Object.assign(state, { status, named }),
        /** Resolves with all pushes once there are this many. */
        async until(count: number): Promise<ReceivedPush[]> {
          await expect.poll(() => pushes().length, { timeout: PATIENCE }).toBeGreaterThanOrEqual(count)
          return pushes()
        },
      }
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type FakePushService = Awaited<ReturnType<typeof startPushService>>
