import { deriveKeys, type PrivateKeys } from './keys.ts'
import { secretsIn } from './phrase.ts'

/** The keys of an address, out of its words in a text; undefined where those are missing, wrong, or of another address. */
export async function keysIn(text: string, id: string): Promise<PrivateKeys | undefined> {
  const derived = await Promise.all(secretsIn(text).map(deriveKeys))
  return derived.find((each) => each.id === id)?.keys
}
