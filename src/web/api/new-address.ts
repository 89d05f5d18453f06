import type { AddressJson, AddressRequestJson, NewAddressJson } from '#contract/addresses.ts'
import { SECRET_BYTES } from '#core/ids.ts'
import { PENDING_SECRET, session } from '../app/storage.ts'
import { api, ApiError, getShown, json, leave, problemOf, setShown } from './api.ts'

const SECRET_LENGTH = 43
const secretIn = (text: string): string => text.slice(0, SECRET_LENGTH)

/**
 * Errors after which this request or an earlier one may have been carried out: the secret of the browser's cookie may be the
 * one that it replaced. The codes may be parts of others, as in `store_unavailable`.
 */
const LOST = /offline|internal|unavailable|too_many_requests|unauthorized/

/** 256 random bits in 43 characters of base64url. */
const newSecret = (): string =>
  secretIn(btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')

/** The response, or null if the browser or the secret opens no address. */
const unlessClosed = (opened: Promise<AddressJson>): Promise<AddressJson | null> =>
  opened.catch((error: unknown) => {
    if (problemOf(error).code === 'unauthorized') return null
    throw error
  })

/** Opens the address whose secret the server stored although its response was lost. Null if there is none. */
export async function openPending(): Promise<AddressJson | null> {
  const pending = session.getItem(PENDING_SECRET)
  if (pending === null) return null
  const request = { secret: secretIn(pending), created: pending.endsWith('}') }
  const opened = await unlessClosed(json(leave('POST', '/session', request)))
  if (!opened) return null
  session.removeItem(PENDING_SECRET)
  return opened
}

/** The address of this browser; null if there is none. */
export const currentAddress = async (): Promise<AddressJson | null> =>
  (await unlessClosed(api.address())) ?? openPending()

/**
 * Opens the address of an earlier request whose response was lost, if the browser has no other address and that request was
 * for something else than `requestKey`. Null if there is nothing to open.
 */
export async function finishPending(requestKey: string): Promise<AddressJson | null> {
  if ((session.getItem(PENDING_SECRET)?.slice(SECRET_LENGTH) ?? requestKey) === requestKey) return null
  if (!(await unlessClosed(api.address()))) return openPending()
  session.removeItem(PENDING_SECRET)
  return null
}

/**
 * Sends a request with a new secret for the address of this browser, or for one that replaces it. The page makes the secret
 * and keeps it with the key of the request, so it opens the address even if the response is lost: immediately, or when the
 * visitor asks again.
 */
export async function sendSecret<T>(
  requestKey: string,
  send: (secret: string) => Promise<T>,
): Promise<T | AddressJson> {
  const secret = secretIn(session.getItem(PENDING_SECRET) ?? newSecret())
  session.setItem(PENDING_SECRET, secret + requestKey)
  try {
    const done = await send(secret)
    session.removeItem(PENDING_SECRET)
    return done
  } catch (error) {
    if (!LOST.test(problemOf(error).code)) session.removeItem(PENDING_SECRET)
    const opened = await openPending().catch(() => null)
    if (opened) return opened
    throw error
  }
}

/**
 * Creates an address that replaces the one that the page shows. If it shows none, but this browser has one, that is
 * returned. If a name is wanted, throws `unauthorized` in place of replacing that one unseen.
 */
export async function createAddress(request: AddressRequestJson = {}): Promise<AddressJson | NewAddressJson> {
  const isShown = getShown() !== ''
  const takesAny = !isShown && request.login === undefined
  const requestKey = JSON.stringify(request)
  const made = await finishPending(requestKey)
  if (made && takesAny) return made
  if (made && !isShown) throw new ApiError('unauthorized')
  // It has already replaced the one that the page shows.
  if (made) setShown(made.address)
  try {
    return await sendSecret(requestKey, (secret) =>
      json(leave('POST', '/addresses', { ...request, replace: true, secret })),
    )
  } catch (error) {
    if (takesAny && problemOf(error).code === 'unauthorized') return api.address()
    throw error
  }
}
