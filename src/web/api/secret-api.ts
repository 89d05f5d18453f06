import { call, getShown, json, leave } from './api.ts'
import { sendSecret, finishPending } from './new-address.ts'

/** Replaces the secret of the address that the page shows. */
export async function replaceSecret(): Promise<void> {
  const requestKey = `secret of ${getShown()}`
  await finishPending(requestKey)
  await sendSecret(requestKey, (secret) => leave('POST', '/address/secret', { secret }))
}

/** The secret of the address that the page shows. */
export const revealSecret = (): Promise<{ secret: string }> => json(call('POST', '/session/reveal'))
