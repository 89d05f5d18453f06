import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** 256 random bits in 43 characters: what a link, a session, a key or a browser is known by. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** What is kept of a token, which nobody can use. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')
