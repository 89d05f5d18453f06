import { call, json, leave } from './api.ts'
import { newSecret } from './new-address.ts'

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
