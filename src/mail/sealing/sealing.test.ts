import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { packBody, unpackBody } from './body.ts'
import { deriveKeys, nameKey, newSecret, operatorSecret } from './keys.ts'
import { open, SealError } from './open.ts'
import { createSeal } from './seal.ts'
import { createSealer } from './sealer.ts'

const keysOf = (secret: string) => {
  const keys = deriveKeys(secret)
  if (!keys) throw new Error('malformed')
  return keys
}
const keys = keysOf(newSecret())
const seal = createSeal()

describe('the secret of an address', () => {
  test('is 256 random bits in base64url', () => {
    expect(newSecret()).toMatch(/^[\w-]{43}$/)
    expect(newSecret()).not.toBe(newSecret())
  })

  test('gives the same keys each time: known answer', () => {
    const known = keysOf('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8')
    expect({ id: known.id, publicKey: Buffer.from(known.publicKey).toString('hex') }).toMatchInlineSnapshot(`
      {
        "id": "CYl5ZFrH27VM8WxkgAQ4dg",
        "publicKey": "f044c051c15ad9896489660bd7b1cef4ca2bd8643ff12fcaded2e17f35828240",
      }
    `)
  })

  test.each(['', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`, `${'A'.repeat(42)}=`, '😀'.repeat(20)])(
    '%j is malformed',
    (secret) => expect(deriveKeys(secret)).toBeUndefined(),
  )

  test('of the operator follows from the service key', () => {
    const key = randomBytes(32)
    expect(operatorSecret(key)).toBe(operatorSecret(key))
    expect(operatorSecret(key)).not.toBe(operatorSecret(randomBytes(32)))
    expect(deriveKeys(operatorSecret(key))).toBeDefined()
  })

  test('names are worth nothing without the service key', () => {
    const [one, other] = [randomBytes(32), randomBytes(32)]
    expect(nameKey(one, 'a@b')).toMatch(/^[\w-]{22}$/)
    expect(nameKey(one, 'a@b')).not.toBe(nameKey(other, 'a@b'))
    expect(nameKey(one, 'a@b')).not.toBe(nameKey(one, 'a@c'))
  })
})

describe('a sealed box', () => {
  test('opens to what went in, whatever its size', () => {
    for (const size of [0, 1, 199, 200, 201, 8192, 1_000_000]) {
      for (const plaintext of [randomBytes(size), Buffer.alloc(size, 'mail ')]) {
        expect(Buffer.from(open(keys, seal(keys.publicKey, plaintext))).equals(plaintext)).toBe(true)
      }
    }
  })

  test('is smaller than text, and never larger than 62 bytes over anything', () => {
    expect(seal(keys.publicKey, Buffer.alloc(8192, 'text ')).length).toBeLessThan(200)
    expect(seal(keys.publicKey, randomBytes(8192)).length).toBe(8192 + 62)
  })

  test('does not show the plaintext, and differs each time', () => {
    const plaintext = Buffer.from('Your code is 482913')
    const [one, other] = [Buffer.from(seal(keys.publicKey, plaintext)), Buffer.from(seal(keys.publicKey, plaintext))]
    expect(one.includes('482913')).toBe(false)
    expect(one.subarray(45).equals(other.subarray(45))).toBe(false)
  })

  test('is for one key only', () => {
    const stranger = keysOf(newSecret())
    expect(() => open(stranger, seal(keys.publicKey, Buffer.from('x')))).toThrow(SealError)
  })

  test('tells every change of any byte, and every cut', () => {
    const sealed = Buffer.from(seal(keys.publicKey, Buffer.from('Your code is 482913')))
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed[i] = (changed[i] ?? 0) ^ 1
      expect(() => open(keys, changed), `byte ${i}`).toThrow(SealError)
      expect(() => open(keys, sealed.subarray(0, i)), `cut at ${i}`).toThrow(SealError)
    }
  })

  test('an ephemeral key serves a while, then another takes its place', () => {
    const frugal = createSeal({ keyUses: 2 })
    const ephemeral = () =>
      Buffer.from(frugal(keys.publicKey, Buffer.from('x')))
        .subarray(1, 33)
        .toString('hex')
    const [one, two, three] = [ephemeral(), ephemeral(), ephemeral()]
    expect(one).toBe(two)
    expect(three).not.toBe(one)
  })

  test('only so many ephemeral keys are kept', () => {
    const small = createSeal({ keysKept: 1 })
    const other = keysOf(newSecret())
    const ephemeral = (to: Uint8Array) =>
      Buffer.from(small(to, Buffer.from('x')))
        .subarray(1, 33)
        .toString('hex')
    const first = ephemeral(keys.publicKey)
    ephemeral(other.publicKey)
    expect(ephemeral(keys.publicKey)).not.toBe(first)
  })
})

test('the sealer seals batches in its thread, in order', async () => {
  const sealer = createSealer()
  const plaintexts = Array.from({ length: 50 }, (_, i) => Buffer.from(`mail ${i}`))
  const sealed = await sealer.seal(plaintexts.map((plaintext) => ({ publicKey: keys.publicKey, plaintext })))
  expect(sealed.map((box) => Buffer.from(open(keys, box)).toString())).toEqual(plaintexts.map(String))
  await sealer.close()
})

test('body: envelope and mail come back as they were', () => {
  const envelope = { mailFrom: 'ä@b', recipient: 'c@d', helo: 'x', clientAddress: '::1', tls: true, receivedAt: 5 }
  const raw = Buffer.from([0, 255, 13, 10])
  expect(unpackBody(packBody(envelope, raw))).toEqual({ envelope, raw })
})
