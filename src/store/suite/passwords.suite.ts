import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { claimed, key, newAddress, NOW } from './fixtures.ts'

export function passwordsContract(current: () => Store): void {
  const sealed = (): Uint8Array => new Uint8Array(randomBytes(90))

  describe('the password of an address', () => {
    test('is found by the name, and replaced', async () => {
      const { id, nameKey, expiresAt } = await claimed(current())
      const { passwords } = current()
      expect(await passwords.find(nameKey, NOW)).toBeUndefined()
      for (const sealedSecret of [sealed(), sealed()]) {
        expect(await passwords.set({ addressId: id, sealedSecret }, NOW)).toBe(true)
        expect(await passwords.find(nameKey, NOW)).toEqual({ addressId: id, sealedSecret })
      }
      expect(await passwords.find(nameKey, expiresAt)).toBeUndefined()
      expect(await passwords.set({ addressId: id, sealedSecret: sealed() }, expiresAt)).toBe(false)
      expect(await passwords.set({ addressId: key(), sealedSecret: sealed() }, NOW)).toBe(false)
    })

    test('ends with the address, and the next address of that name has none', async () => {
      const { id, nameKey } = await claimed(current())
      const { passwords, addresses } = current()
      await passwords.set({ addressId: id, sealedSecret: sealed() }, NOW)
      await addresses.remove(id, NOW)
      expect(await passwords.find(nameKey, NOW)).toBeUndefined()
      expect(await addresses.claim(newAddress({ nameKey }), NOW + DAY)).toBe(true)
      expect(await passwords.find(nameKey, NOW)).toBeUndefined()
    })

    test('ends when the secret is replaced', async () => {
      const { id, nameKey } = await claimed(current())
      const { passwords, addresses } = current()
      await passwords.set({ addressId: id, sealedSecret: sealed() }, NOW)
      const change = { publicKey: sealed(), sealedName: sealed(), sealedEarlierKeys: sealed(), sealedSecret: null }
      expect(await addresses.replaceSecret({ id, previousSecretId: id, secretId: key(), ...change }, NOW)).toBe(true)
      expect(await passwords.find(nameKey, NOW)).toBeUndefined()
    })
  })
}
