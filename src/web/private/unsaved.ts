import { fromBase64, toBase64Url } from '#mail/bytes.ts'
import { accountApi } from '../api/account-api.ts'
import { problemOf, shownAccount } from '../api/api.ts'
import { session } from '../app/storage.ts'
import { keyStore } from './key-store.ts'
import { deriveKeys, newSecret, type PrivateKeys } from './keys.ts'
import { phraseOf } from './phrase.ts'
import { privateApi } from './private-api.ts'

type Bytes = Uint8Array<ArrayBuffer>
type DerivedKeys = Awaited<ReturnType<typeof deriveKeys>>
type Wanted = Omit<Parameters<typeof privateApi.create>[0], 'id' | 'publicKey'>

/** An address whose owner has not confirmed yet that its recovery phrase is saved. */
export interface Unsaved {
  id: string
  address: string
  keys: PrivateKeys
  phrase: string
  /** Whether this browser has stored the key. */
  kept: boolean
}

/**
 * The name in the session storage of the secret. It is there from before the request that creates the address until the
 * visitor has saved the phrase, so a lost response or a reload doesn't lose the phrase. It belongs to this tab and to this
 * account.
 */
const key = (): string => `mayfly:unsaved ${shownAccount()}`

const secretHere = (): Bytes | undefined => {
  const text = session.getItem(key())
  return text === null ? undefined : fromBase64(text)
}

/** The name in the session storage of the id whose key was stored. */
const keptKey = (): string => `${key()} kept`

export function forgetUnsaved(): void {
  session.removeItem(key())
  session.removeItem(keptKey())
}

/** Stores the key in this browser, once: "Lock" in another tab deletes it. */
async function keep(id: string, keys: PrivateKeys): Promise<boolean> {
  if (session.getItem(keptKey()) === id) return (await keyStore.find(id)) !== undefined
  await keyStore.keep(id, keys)
  session.setItem(keptKey(), id)
  return true
}

async function made(secret: Bytes, { id, keys }: DerivedKeys, address: string): Promise<Unsaved> {
  const kept = await keep(id, keys).catch(() => false)
  return { id, address, keys, phrase: phraseOf(secret), kept }
}

/** The unsaved address, if it has this id. */
export async function unsavedWith(id: string, address: string): Promise<Unsaved | undefined> {
  const secret = secretHere()
  if (!secret) return undefined
  const derived = await deriveKeys(secret)
  return derived.id === id ? made(secret, derived, address) : undefined
}

/** The unsaved address of an earlier request, if the account has it. */
export async function findUnsaved(): Promise<Unsaved | undefined> {
  const secret = secretHere()
  if (!secret) return undefined
  const derived = await deriveKeys(secret)
  const { addresses } = await accountApi.addresses()
  const found = addresses.find((each) => each.id === derived.id && each.alive)
  return found && made(secret, derived, found.address)
}

/** Creates an address. If an earlier request has created one whose phrase was not saved, that is returned. */
export async function createUnsaved(wanted: Wanted): Promise<Unsaved> {
  const earlier = secretHere()
  const secret = earlier ?? newSecret()
  session.setItem(key(), toBase64Url(secret))
  const derived = await deriveKeys(secret)
  const publicKey = toBase64Url(derived.keys.publicKey)
  try {
    const { address } = await privateApi.create({ id: derived.id, publicKey, ...wanted })
    return await made(secret, derived, address)
  } catch (error) {
    if (!earlier || problemOf(error).code !== 'address_taken') throw error
    // These keys have an address with another name, or had one that was deleted.
    const found = await findUnsaved()
    if (found) return found
    forgetUnsaved()
    return createUnsaved(wanted)
  }
}
