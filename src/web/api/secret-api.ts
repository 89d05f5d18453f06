import { call, getShown, json, leave } from './api.ts'
import { sendSecret, settle } from './new-address.ts'

/** Replaces the secret of the address that the page shows. */
export async function replaceSecret(): Promise<void> {
  const wish = `secret of ${getShown()}`
  await settle(wish)
  await sendSecret(wish, (secret) => leave('POST', '/address/secret', { secret }))
}

/** The secret of the address that the page shows. */
export const revealSecret = (): Promise<{ secret: string }> => json(call('POST', '/session/reveal'))
