import type { AddressJson, AddressRequestJson, NewAddressJson } from '#contract/addresses.ts'
import { session, UNSURE } from '../app/storage.ts'
import { api, json, leave, problemOf } from './api.ts'

const SECRET_BYTES = 32
const secretIn = (text: string): string => text.slice(0, 43)

/** After these the server may have done what it was asked for, or what an earlier request asked for. */
const LOST = /offline|internal|unavailable|too_many_requests/

/** 256 random bits in 43 characters of base64url. */
export const newSecret = (): string =>
  secretIn(btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')

/** Opens the address that the server created although its response was lost. Null if there is none. */
export async function openUnsure(): Promise<AddressJson | null> {
  const unsure = session.getItem(UNSURE)
  if (unsure === null) return null
  try {
    const opened = await api.open(secretIn(unsure))
    session.removeItem(UNSURE)
    return opened
  } catch (error) {
    if (problemOf(error).code === 'unauthorized') return null
    throw error
  }
}

/**
 * Creates an address that replaces the current one. The page generates its secret, so it opens the address even if the
 * response is lost: at once, or when the visitor asks again.
 */
export async function createAddress(request: AddressRequestJson = {}): Promise<AddressJson | NewAddressJson> {
  const wanted = JSON.stringify(request)
  // If another address is wanted now, it replaces the one that may exist.
  if (!session.getItem(UNSURE)?.endsWith(wanted)) await openUnsure()
  const secret = secretIn(session.getItem(UNSURE) ?? newSecret())
  session.setItem(UNSURE, secret + wanted)
  try {
    const created = await json<NewAddressJson>(leave('POST', '/addresses', { ...request, replace: true, secret }))
    session.removeItem(UNSURE)
    return created
  } catch (error) {
    if (!LOST.test(problemOf(error).code)) session.removeItem(UNSURE)
    const opened = await openUnsure().catch(() => null)
    if (opened) return opened
    throw error
  }
}
