import { call, json, leave } from './api.ts'

const SECRET_BYTES = 32

/** 256 random bits in 43 characters of base64url. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/**
 * Replaces the secret of the current address. The browser generates it, so it opens the address even if the response
 * is lost.
 */
export async function replaceSecret(): Promise<void> {
  const secret = newSecret()
  try {
    await leave('POST', '/address/secret', { secret })
  } catch (error) {
    await call('POST', '/session', { secret }).catch(() => {
      throw error
    })
  }
}

/** The secret of the current address. */
export const revealSecret = (): Promise<{ secret: string }> => json(call('POST', '/session/reveal'))
