import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { deriveKeys, type PrivateKeys } from './keys.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Number of words for 256 bits and the checksum (BIP 39). */
const WORDS = 24
/** Longest text that is searched, in characters. */
const MAX_TEXT = 20_000

const known = new Set(wordlist)

/** The secret as words of the English list, separated by spaces. */
export const phraseOf = (secret: Bytes): string => entropyToMnemonic(secret, wordlist)

/**
 * Finds secrets by their words in a text. Other content around and between them (numbers, the rest of a recovery file) is
 * ignored. Rarely more than one; none if a word is missing or misspelt.
 */
export function secretsIn(text: string): Bytes[] {
  const words: string[] =
    text
      .slice(0, MAX_TEXT)
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return words.flatMap((_, at) => {
    const phrase = words.slice(at, at + WORDS)
    if (phrase.length < WORDS || !phrase.every((word) => known.has(word))) return []
    try {
      return [new Uint8Array(mnemonicToEntropy(phrase.join(' '), wordlist))]
    } catch {
      // The checksum does not match.
      return []
    }
  })
}

/**
 * The keys of an address, derived from its phrase in a text; undefined if the phrase is missing, wrong or of another
 * address.
 */
export async function keysIn(text: string, id: string): Promise<PrivateKeys | undefined> {
  const derived = await Promise.all(secretsIn(text).map(deriveKeys))
  return derived.find((each) => each.id === id)?.keys
}
