import { createHash, randomBytes } from 'node:crypto'
import { ID_BYTES } from '#core/ids.ts'

const TOKEN_BYTES = 32

/** Returns 256 random bits in 43 characters of base64url: the token of a link, a session, an API key or a browser. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Returns the SHA-256 hash of a token, which is stored in place of the token. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * Returns 128 random bits in 22 characters of base64url: the id of an order, a session, an API key or similar. An id
 * never starts with a dash, which a command would take for an option.
 */
export function randomId(): string {
  const id = randomBytes(ID_BYTES).toString('base64url')
  return id.startsWith('-') ? randomId() : id
}
