import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** 256 random bits in 43 characters: what a link, a session, a key or a browser is known by. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** What is kept of a token, which nobody can use. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * 128 random bits in 22 characters: the name of an order, a session, a key and the like. None begins with a dash: a command
 * would take it for an option.
 */
export function randomId(): string {
  const id = randomBytes(ID_BYTES).toString('base64url')
  return id.startsWith('-') ? randomId() : id
}

export const ID_BYTES = 16
