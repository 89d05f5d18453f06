import { expect, test } from 'vitest'
import { newSecret } from '#core/mailbox/secret.ts'
import { createAgreedKeys } from './agreed-keys.ts'
import { boxKey } from './box-key.ts'
import { type AddressKeys, deriveKeys, publicKeyOf } from './keys.ts'

const keysOf = (secret: string): AddressKeys => deriveKeys(secret)!

const ephemeral = keysOf(newSecret()).publicKey
const agreed = ({ privateKey, publicKey }: AddressKeys) =>
  boxKey(privateKey, publicKeyOf(ephemeral), ephemeral, publicKey)

test('a later request with the same secret gets the key without an agreement', () => {
  const secret = newSecret()
  const masked = new Map<string, string>()
  const sets: string[] = []
  const agreedKey = createAgreedKeys({
    get: (name) => masked.get(name),
    set: (name, value) => (sets.push(value), masked.set(name, value)),
  })
  const expected = agreed(keysOf(secret))
  expect(Buffer.from(agreedKey(keysOf(secret), ephemeral))).toEqual(expected)
  expect(Buffer.from(agreedKey(keysOf(secret), ephemeral))).toEqual(expected)
  expect(sets).toHaveLength(1)
})

test('a key pair of one request agrees once, whatever is dropped from the masked keys', () => {
  const pair = keysOf(newSecret())
  const asked: string[] = []
  const agreedKey = createAgreedKeys({ get: (name) => void asked.push(name), set: () => undefined })
  expect(agreedKey(pair, ephemeral)).toBe(agreedKey(pair, ephemeral))
  expect(asked).toHaveLength(1)
})

test('recipients of one group have different keys', () => {
  const agreedKey = createAgreedKeys()
  const pairs = [keysOf(newSecret()), keysOf(newSecret())]
  for (const pair of [...pairs, ...pairs]) expect(Buffer.from(agreedKey({ ...pair }, ephemeral))).toEqual(agreed(pair))
})

test('what is kept for later requests contains neither an AES key nor a private key, and changes with the ephemeral key', () => {
  const pair = keysOf(newSecret())
  const masked = new Map<string, string>()
  const agreedKey = createAgreedKeys(masked)
  const others = [ephemeral, keysOf(newSecret()).publicKey]
  const keys = others.map((other) => Buffer.from(agreedKey(pair, other)))
  const seed = Buffer.from(pair.privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
  const values = Array.from(masked.values(), (value) => Buffer.from(value, 'latin1'))
  for (const hidden of [...keys, seed]) {
    for (const shown of [...values, ...Array.from(masked.keys(), (name) => Buffer.from(name, 'latin1'))])
      expect(shown.includes(hidden)).toBe(false)
  }
  const masks = values.map((value, i) => value.map((byte, at) => byte ^ (keys[i]?.[at] ?? 0)))
  expect(masks[0]).not.toEqual(masks[1])
})
