import { randomBytes, randomInt, webcrypto } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { BoxPlace } from '#core/mailbox/box.ts'
import { messageIds } from '#core/mailbox/message-id.ts'
import { newSecret } from '#core/mailbox/secret.ts'
import { type AddressKeys, canonicalBytes, deriveKeys, isUsableKey, nameKey, operatorSecret } from './keys.ts'
import { createOpener, SealError } from './open.ts'
import { addressPlace, messagePlace } from './place.ts'
import { createSeal, sealAll } from './seal.ts'
import { createSealer } from './sealer.ts'

const sealAt = createSeal()

const keysOf = (secret: string) => {
  const keys = deriveKeys(secret)
  if (!keys) throw new Error('malformed')
  return keys
}
const keys = keysOf(newSecret())
const KNOWN_SECRET = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'
const known = keysOf(KNOWN_SECRET)
const ARRIVED = 1_800_000_000_000
const MESSAGE = messageIds(() => ARRIVED, randomBytes)()
const place: BoxPlace = { kind: 'body', addressId: 'CYl5ZFrH27VM8WxkgAQ4dg', messageId: MESSAGE, at: ARRIVED }
const opener = createOpener(0)
const seal = (publicKey: Uint8Array, plaintext: Uint8Array) => sealAt(publicKey, place, plaintext)
const open = (to: AddressKeys, sealed: Uint8Array, options = {}) => opener.open(to, place, sealed, options)
const ephemeralOf = (sealed: Uint8Array): string => Buffer.from(sealed).toString('hex', 1, 33)

const CODE = 'Your code is 482913'
/** Boxes of version 1 for `KNOWN_SECRET`, one raw, one compressed. Messages that were stored must still open. */
const KNOWN_BOXES: [string, string][] = [
  [
    '01bcaaf8977b8059cbe4ca63936f1af926da157c08881dc7c1f883b8a047d3107463f36c5dda21d4b806692669ddcb449c9aa4ba5f78796c89e0901e6fbfa2ffffc1e2b41b10c418c0285fa800b48f4842',
    CODE,
  ],
  [
    '016d9f779b521d0c8662cca457b2c36393f6cf8d0561ec3fca85914b367e3e2c65c890cef97d319ca91933405f4577fe85fb92f67214a7e3d74a06a020bc164c42f55e5bb51191f82064c784bf9765b4fd948148f25d6c6af2e99b30fc7e2f511f03ebb1',
    `${CODE}. `.repeat(20),
  ],
]
/** A box of version 2 for `KNOWN_SECRET`. */
const KNOWN_BOUND_BOX =
  '0243e9d58faf1f3216c3d45b598dff8620aef509a797acb9135c5a32c64e22c40a8375577f3e4f35e36cbd3d21c8db0a57096f9b3ff6cd90c0c43c9212b070300f5895f8d1be0ddaf2ca3ecee0512098f3'

describe('the secret of an address', () => {
  test('is 256 random bits in base64url', () => {
    expect(newSecret()).toMatch(/^[\w-]{43}$/)
    expect(newSecret()).not.toBe(newSecret())
  })

  test('always yields the same keys: known answer', () => {
    expect({ id: known.id, publicKey: Buffer.from(known.publicKey).toString('hex') }).toMatchInlineSnapshot(`
      {
        "id": "CYl5ZFrH27VM8WxkgAQ4dg",
        "publicKey": "f044c051c15ad9896489660bd7b1cef4ca2bd8643ff12fcaded2e17f35828240",
      }
    `)
  })

  test.each(['', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`, `${'A'.repeat(42)}=`, '😀'.repeat(20)])(
    'is rejected if malformed: %j',
    (secret) => expect(deriveKeys(secret)).toBeUndefined(),
  )

  test.each([
    ['0', '00'.repeat(32)],
    ['1', `01${'00'.repeat(31)}`],
    ['order 8', 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'],
    ['order 8, second', '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157'],
    ['p - 1', `ec${'ff'.repeat(30)}7f`],
    ['p', `ed${'ff'.repeat(30)}7f`],
    ['p + 1', `ee${'ff'.repeat(30)}7f`],
    ['1 with the ignored bit', `01${'00'.repeat(30)}80`],
  ])('isUsableKey rejects the point %s', (_name, hex) => expect(isUsableKey(Buffer.from(hex, 'hex'))).toBe(false))

  test('isUsableKey accepts any other point of 32 bytes', () => {
    expect(isUsableKey(keys.publicKey)).toBe(true)
    expect(isUsableKey(keys.publicKey.subarray(1))).toBe(false)
  })

  test('canonicalBytes accepts only the canonical form of bytes', () => {
    expect(canonicalBytes('AAE', 2)).toEqual(Buffer.of(0, 1))
    for (const text of ['AAF', 'AAE=', 'AA', 'AAEC', 'A+E']) expect(canonicalBytes(text, 2), text).toBeUndefined()
  })

  test('of the operator mailbox is derived from the service key', () => {
    const key = randomBytes(32)
    expect(operatorSecret(key)).toBe(operatorSecret(key))
    expect(operatorSecret(key)).not.toBe(operatorSecret(randomBytes(32)))
    expect(deriveKeys(operatorSecret(key))).toBeDefined()
  })

  test('nameKey depends on the service key and the address', () => {
    const [one, other] = [randomBytes(32), randomBytes(32)]
    expect(nameKey(one, 'a@b')).toMatch(/^[\w-]{22}$/)
    expect(nameKey(one, 'a@b')).not.toBe(nameKey(other, 'a@b'))
    expect(nameKey(one, 'a@b')).not.toBe(nameKey(one, 'a@c'))
  })
})

describe('a sealed box', () => {
  test('opens to the plaintext for any size', () => {
    for (const size of [0, 1, 1499, 1500, 1501, 8192, 1_000_000]) {
      for (const plaintext of [randomBytes(size), Buffer.alloc(size, 'mail ')]) {
        expect(Buffer.from(open(keys, seal(keys.publicKey, plaintext))).equals(plaintext)).toBe(true)
      }
    }
  })

  test('opens to the plaintext 10,000 times with random bytes and sizes', { tags: ['slow'] }, () => {
    for (let i = 0; i < 10_000; i++) {
      const plaintext = randomBytes(randomInt(0, 600)).fill(65, randomInt(0, 2) * 600)
      if (!plaintext.equals(open(keys, seal(keys.publicKey, plaintext)))) throw new Error(plaintext.toString('hex'))
    }
  })

  test.each(KNOWN_BOXES)(
    'of version 1 opens if the message arrived before `boundFrom`: known answer %#',
    (box, plaintext) => {
      const sealed = Buffer.from(box, 'hex')
      expect(Buffer.from(createOpener(ARRIVED + 1).open(known, place, sealed)).toString()).toBe(plaintext)
      for (const since of [0, ARRIVED - 1, ARRIVED])
        expect(() => createOpener(since).open(known, place, sealed), String(since)).toThrow(SealError)
    },
  )

  test('of version 2 opens: known answer', () => {
    const named = {
      kind: 'summary',
      addressId: 'CYl5ZFrH27VM8WxkgAQ4dg',
      messageId: '01k00000000000000000000001',
      at: 0,
    } as const
    const sealed = Buffer.from(KNOWN_BOUND_BOX, 'hex')
    expect(Buffer.from(opener.open(known, named, sealed)).toString()).toBe(CODE)
  })

  test('has the documented format: another implementation (Web Crypto) opens it', async () => {
    const plaintext = randomBytes(100)
    const sealed = new Uint8Array(seal(known.publicKey, plaintext))
    const ephemeral = sealed.slice(1, 33)
    const { subtle } = webcrypto
    const publicKey = await subtle.importKey('raw', ephemeral, 'X25519', false, [])
    const pkcs8 = new Uint8Array(known.privateKey.export({ format: 'der', type: 'pkcs8' }))
    const privateKey = await subtle.importKey('pkcs8', pkcs8, 'X25519', false, ['deriveBits'])
    const shared = await subtle.deriveBits({ name: 'X25519', public: publicKey }, privateKey, 256)
    const salt = Buffer.concat([ephemeral, known.publicKey])
    const info = Buffer.from('mayfly/v1 seal')
    const base = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info }
    const key = await subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, ['decrypt'])
    const field = (text: string) => Buffer.concat([Buffer.of(text.length), Buffer.from(text)])
    const fields = ['body', 'CYl5ZFrH27VM8WxkgAQ4dg', MESSAGE].map(field)
    const additionalData = Buffer.concat([Buffer.of(2), ...fields])
    const aes = { name: 'AES-GCM', iv: sealed.slice(33, 45), additionalData }
    const opened = await subtle.decrypt(aes, key, sealed.slice(45))
    expect(Buffer.from(opened).equals(Buffer.concat([Buffer.of(0), plaintext]))).toBe(true)
  })

  test('compresses text, and is never more than 62 bytes larger than the plaintext', () => {
    expect(seal(keys.publicKey, Buffer.alloc(8192, 'text ')).length).toBeLessThan(200)
    expect(seal(keys.publicKey, randomBytes(8192)).length).toBe(8192 + 62)
  })

  test('hides the plaintext and differs each time', () => {
    const plaintext = Buffer.from('Your code is 482913')
    const [one, other] = [Buffer.from(seal(keys.publicKey, plaintext)), Buffer.from(seal(keys.publicKey, plaintext))]
    expect(one.includes('482913')).toBe(false)
    expect(one.subarray(45).equals(other.subarray(45))).toBe(false)
  })

  test('opens with its key only', () => {
    const stranger = keysOf(newSecret())
    expect(() => open(stranger, seal(keys.publicKey, Buffer.from('x')))).toThrow(SealError)
  })

  test('does not open after a change of any byte or a truncation', () => {
    const sealed = Buffer.from(seal(keys.publicKey, Buffer.from('Your code is 482913')))
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed[i] = (changed[i] ?? 0) ^ 1
      expect(() => open(keys, changed), `byte ${i}`).toThrow(SealError)
      expect(() => open(keys, sealed.subarray(0, i)), `cut at ${i}`).toThrow(SealError)
    }
  })

  test.each<[string, Partial<BoxPlace>]>([
    ['of another kind', { kind: 'summary' }],
    ['of another address', { addressId: 'CYl5ZFrH27VM8WxkgAQ4dh' }],
    ['of another message', { messageId: MESSAGE.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }],
    ['of no message', { messageId: '' }],
    ['whose fields run together', { kind: 'name', addressId: '' }],
  ])('does not open at a place %s', async (_name, other) => {
    for (const size of [10, 10_000]) {
      const sealed = seal(keys.publicKey, Buffer.alloc(size, 'mail '))
      const moved = { ...place, ...other }
      expect(() => opener.open(keys, moved, sealed)).toThrow(SealError)
      await expect(opener.openLarge(keys, moved, sealed)).rejects.toThrow(SealError)
      expect((await opener.openLarge(keys, place, sealed)).length).toBe(size)
    }
  })

  test('does not open with the version byte of the other version', () => {
    const lenient = createOpener(ARRIVED + 1)
    const bound = Buffer.from(seal(known.publicKey, Buffer.from(CODE)))
    bound[0] = 1
    expect(() => lenient.open(known, place, bound)).toThrow(SealError)
    const unbound = Buffer.from(KNOWN_BOXES[0]![0], 'hex')
    unbound[0] = 2
    expect(() => lenient.open(known, place, unbound)).toThrow(SealError)
  })

  test('has a place that is made from its row', () => {
    expect(messagePlace('body', { addressId: place.addressId, id: MESSAGE })).toEqual(place)
    expect(addressPlace('name', { id: 'id', createdAt: 5 })).toEqual({ kind: 'name', addressId: 'id', at: 5 })
  })

  test('has the ephemeral key of its group, and a key that other recipients of the group cannot compute', () => {
    const stranger = keysOf(newSecret())
    const plaintext = Buffer.from('x')
    const group = () => sealAll([keys, stranger].map(({ publicKey }) => ({ publicKey, place, plaintext })))
    const [own, other] = group()
    expect(ephemeralOf(own!)).toBe(ephemeralOf(other!))
    expect(open(keys, own!)).toEqual(plaintext)
    expect(open(stranger, other!)).toEqual(plaintext)
    expect(() => open(keys, other!)).toThrow(SealError)
    expect(() => open(stranger, own!)).toThrow(SealError)
    const later = [...group(), ...group(), seal(keys.publicKey, plaintext), seal(keys.publicKey, plaintext)]
    expect(new Set([own!, ...later].map(ephemeralOf)).size).toBe(5)
  })
})

test('the sealer seals groups in its thread, in order', async () => {
  const sealer = createSealer()
  const plaintexts = Array.from({ length: 50 }, (_, i) => Buffer.from(`mail ${i}`))
  const group = () => sealer.seal(plaintexts.map((plaintext) => ({ publicKey: keys.publicKey, place, plaintext })))
  const [sealed, later] = await Promise.all([group(), group()])
  expect(sealed.map((box) => Buffer.from(open(keys, box)).toString())).toEqual(plaintexts.map(String))
  // Each group has one ephemeral key.
  expect(new Set([...sealed, ...later].map(ephemeralOf)).size).toBe(2)
  await sealer.close()
})

test('the sealer writes boxes of version 1 while nodes of the previous version may run', async () => {
  const at = Date.now()
  const boundFrom = at + 3_600_000
  const sealer = createSealer({ boundFrom })
  const items = [at, boundFrom].map((time) => ({
    publicKey: keys.publicKey,
    place: { ...place, at: time },
    plaintext: Buffer.from(CODE),
  }))
  const sealed = await sealer.seal(items)
  // The box of a message from after `boundFrom` is bound, regardless of the current time.
  expect(sealed.map(([version]) => version)).toEqual([1, 2])
  const later = createOpener(boundFrom)
  for (const [i, box] of sealed.entries())
    expect(Buffer.from(later.open(keys, items[i]!.place, box)).toString()).toBe(CODE)
  // A box that is made after `boundFrom` is bound, even for an old message.
  const { publicKey, plaintext } = items[0]!
  expect(createSeal(at - 1)(publicKey, { ...place, at: at - 10 }, plaintext)[0]).toBe(2)
  await sealer.close()
})

test('the sealer fails a group that kills the thread and seals the next one in a new thread', async () => {
  const sealer = createSealer()
  await expect(sealer.seal([{ publicKey: randomBytes(5), place, plaintext: Buffer.from('x') }])).rejects.toThrow()
  const [sealed] = await sealer.seal([{ publicKey: keys.publicKey, place, plaintext: Buffer.from('after') }])
  expect(Buffer.from(open(keys, sealed ?? Buffer.alloc(0))).toString()).toBe('after')
  await sealer.close()
  await expect(sealer.seal([])).rejects.toThrow('closed')
})

test('a box with a plaintext larger than maxBytes does not open', () => {
  const sealed = seal(keys.publicKey, Buffer.alloc(100_000))
  expect(() => open(keys, sealed, { maxBytes: 99_999 })).toThrow(SealError)
  expect(open(keys, sealed, { maxBytes: 100_000 }).length).toBe(100_000)
})
