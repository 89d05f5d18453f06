import type { AddressId } from '#core/ids.ts'
import type { Clock } from '#core/time.ts'
import { derive } from '#mail/sealing/keys.ts'
import { decrypt, encrypt } from './aead.ts'

interface AccessToken {
  /** The secret of the address. */
  secret: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/**
 * Tokens in the form of a JWT (RFC 7519), whose claims clients decode. In place of a signature is the secret of the
 * address, encrypted with a key derived from the service key; the claims are authenticated with it. So the server
 * stores no tokens, and a token opens nothing once the address has expired or was deleted, or has another secret.
 */
export interface AccessTokens {
  create(secret: string, account: { id: AddressId; address: string }): string
  /** Returns undefined for a token that this service did not make. The token may have expired. */
  read(token: string): AccessToken | undefined
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const HEADER = encode({ typ: 'JWT', alg: 'A256GCM' })
const KEY_BYTES = 32

/** `lifetime`: milliseconds. */
export function createAccessTokens(serviceKey: Uint8Array, clock: Clock, lifetime: number): AccessTokens {
  const key = derive(serviceKey, 'access tokens', KEY_BYTES)

  return {
    create(secret, { id, address }) {
      const iat = Math.floor(clock() / 1000)
      const claims = { iat, exp: iat + lifetime / 1000, roles: ['ROLE_USER'], address, id }
      const readable = `${HEADER}.${encode({ ...claims, mercure: { subscribe: [`/accounts/${id}`] } })}`
      return `${readable}.${encrypt(key, secret, Buffer.from(readable)).toString('base64url')}`
    },

    read(token) {
      const [header = '', claims = '', box = '', ...more] = token.split('.')
      if (more.length > 0) return undefined
      const secret = decrypt(key, Buffer.from(box, 'base64url'), Buffer.from(`${header}.${claims}`))
      if (secret === undefined) return undefined
      const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number }
      return { secret, expiresAt: exp * 1000 }
    },
  }
}
