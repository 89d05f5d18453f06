import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SealError } from '#mail/sealing/format.ts'
import { deriveKeys as deriveOnServer } from '#mail/sealing/keys.ts'
import { createOpener } from '#mail/sealing/open.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { open, seal } from './box.ts'
import { canMakeKeys, deriveKeys, newSecret } from './keys.ts'
import { phraseOf, secretsIn } from './phrase.ts'

const sealOnServer = createSeal()

/** The server's functions. The browser's run here too, because Node has the same Web Crypto. */
const { open: openOnServer } = createOpener(0)
const place = { kind: 'summary', addressId: 'address', messageId: 'message', at: 0 } as const
const onServer = (secret: Uint8Array) => deriveOnServer(Buffer.from(secret).toString('base64url'))!
const bytes = (buffer: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(buffer)

const secret = newSecret()
const { keys } = await deriveKeys(secret)
const server = onServer(secret)

test('derives the same id and public key as the server', async () => {
  for (let i = 0; i < 20; i++) {
    const each = newSecret()
    const derived = await deriveKeys(each)
    const { id: name, publicKey } = onServer(each)
    expect(derived.id).toBe(name)
    expect(derived.keys.publicKey).toEqual(bytes(publicKey))
  }
})

test('makes the private key non-extractable', async () => {
  expect(keys.privateKey.extractable).toBe(false)
  await expect(crypto.subtle.exportKey('pkcs8', keys.privateKey)).rejects.toThrow()
})

test('detects missing X25519 support and insecure contexts', async () => {
  expect(await canMakeKeys()).toBe(true)
  const { subtle } = crypto
  for (const value of [undefined, { ...subtle, importKey: () => Promise.reject(new Error('Unrecognized name')) }]) {
    Object.defineProperty(crypto, 'subtle', { value, configurable: true })
    expect(await canMakeKeys()).toBe(false)
  }
  Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true })
})

describe('a box', () => {
  test.each([0, 1, 199, 200, 5000, 3_000_000])('of %i bytes from the server is opened by the browser', async (size) => {
    // Half of the bytes are compressible, as in emails.
    const plain = Buffer.concat([randomBytes(size >> 1), Buffer.alloc(size - (size >> 1), 'mail ')])
    expect(Buffer.from(await open(keys, place, bytes(sealOnServer(keys.publicKey, place, plain)))).equals(plain)).toBe(
      true,
    )
  })

  test.each([0, 1, 5000])('of %i bytes from the browser is opened by the server', async (size) => {
    const plain = randomBytes(size)
    expect(Buffer.from(openOnServer(server, place, await seal(keys.publicKey, place, plain)))).toEqual(plain)
  })

  test('has a new ephemeral key each time', async () => {
    const [one, other] = [await seal(keys.publicKey, place, secret), await seal(keys.publicKey, place, secret)]
    expect(one.subarray(1, 33)).not.toEqual(other.subarray(1, 33))
  })

  test('does not open with other keys, changed bytes or missing bytes', async () => {
    const sealed = bytes(sealOnServer(keys.publicKey, place, Buffer.from('Your code is 482913')))
    const otherKeys = (await deriveKeys(newSecret())).keys
    await expect(open(otherKeys, place, sealed)).rejects.toThrow(SealError)
    for (let i = 0; i < sealed.length; i++) {
      const changed = bytes(sealed)
      changed[i]! ^= 1
      await expect(open(keys, place, changed), `byte ${i}`).rejects.toThrow(SealError)
      await expect(open(keys, place, sealed.slice(0, i)), `cut at ${i}`).rejects.toThrow(SealError)
    }
  })

  test('does not open at another place, unless it has version 1, which is not bound to a place', async () => {
    const sealed = bytes(sealOnServer(keys.publicKey, place, Buffer.from('Your code is 482913')))
    for (const other of [{ kind: 'body' }, { addressId: 'another' }, { messageId: 'another' }] as const)
      await expect(open(keys, { ...place, ...other }, sealed)).rejects.toThrow(SealError)
    const old = await deriveKeys(bytes(Buffer.from('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8', 'base64url')))
    const box = bytes(
      Buffer.from(
        '01bcaaf8977b8059cbe4ca63936f1af926da157c08881dc7c1f883b8a047d3107463f36c5dda21d4b806692669ddcb449c9aa4ba5f78796c89e0901e6fbfa2ffffc1e2b41b10c418c0285fa800b48f4842',
        'hex',
      ),
    )
    expect(Buffer.from(await open(old.keys, place, box)).toString()).toBe('Your code is 482913')
  })

  test('does not open if its content exceeds the limit', async () => {
    const sealed = bytes(sealOnServer(keys.publicKey, place, Buffer.alloc(100_000)))
    expect(await open(keys, place, sealed, 100_000)).toHaveLength(100_000)
    await expect(open(keys, place, sealed, 99_999)).rejects.toThrow(SealError)
  })
})

describe('the phrase', () => {
  const phrase = phraseOf(secret)
  const found = (text: string) => secretsIn(text).map((each) => Buffer.from(each).toString('hex'))
  const hex = Buffer.from(secret).toString('hex')

  test('is 24 words: known answer of BIP 39', () => {
    expect(phraseOf(new Uint8Array(32))).toBe(`${'abandon '.repeat(23)}art`)
    expect(phrase.split(' ')).toHaveLength(24)
  })
  test('restores the secret', () => expect(found(phrase)).toEqual([hex]))
  test.each([
    ['in capitals, one word per line', phrase.toUpperCase().replaceAll(' ', '\r\n')],
    [
      'with numbers',
      phrase
        .split(' ')
        .map((word, i) => `${i + 1}. ${word}`)
        .join('\t'),
    ],
    ['within a file', `Mayfly\n\nvelvet.otter@mayfly.test\n\n${phrase}\n\nKeep this file where nobody finds it.`],
    ['between words of another language', `恢复 ${phrase} 文件`],
  ])('is found %s', (_how, text) => expect(found(text)).toContain(hex))
  test.each([
    ['a word is missing', phrase.split(' ').slice(1).join(' ')],
    ['a word is misspelt', phrase.replace(/^\w+/, 'mayfly')],
    ['two words are swapped', phraseOf(new Uint8Array(32)).replace('abandon art', 'art abandon')],
    ['the text is empty', ''],
  ])('is not found if %s', (_why, text) => expect(found(text)).toEqual([]))
})
