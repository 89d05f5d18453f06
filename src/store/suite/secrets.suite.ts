import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { NewAddress } from '#core/mailbox/address.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { SecretChange } from '#core/mailbox/secret-change.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { claimed, key, newAddress, newMessage, NOW } from './fixtures.ts'
import { ask, forwarded, newForwarding } from './forwarding-fixtures.ts'
import { newKeptAddress, subscribed } from './premium-fixtures.ts'

const bytes = (size: number): Uint8Array => new Uint8Array(randomBytes(size))

const changeOf = ({ id }: NewAddress, fields: Partial<SecretChange> = {}): SecretChange => ({
  id,
  previousSecretId: id,
  secretId: key(),
  publicKey: bytes(32),
  sealedName: bytes(80),
  sealedEarlierKeys: bytes(100),
  sealedSecret: null,
  ...fields,
})

export function secretsContract(current: () => Store): void {
  const addresses = () => current().addresses
  const find = (secretId: string, now = NOW) => addresses().findBySecret(secretId, now)

  describe('the secret of an address', () => {
    test('is replaced: only the new one finds the address, and nothing else changes', async () => {
      const address = await claimed(current())
      await current().messages.append([newMessage(address.id)])
      expect(await find(address.id)).toMatchObject({ id: address.id, secretId: address.id, sealedEarlierKeys: null })
      const change = changeOf(address)
      expect(await addresses().replaceSecret(change, NOW)).toBe(true)
      expect(await find(address.id)).toBeUndefined()
      const { previousSecretId: _, sealedSecret: __, ...row } = change
      expect(await find(change.secretId)).toMatchObject({ ...row, nameKey: address.nameKey, usedBytes: 1000 })
      expect(await addresses().find(address.id, NOW)).toMatchObject(row)
      expect(await addresses().findRecipients([address.nameKey], NOW)).toMatchObject([
        { id: address.id, publicKey: change.publicKey },
      ])
      expect(await current().messages.list(address.id, { now: NOW, limit: 10 })).toHaveLength(1)
      expect(await find(change.secretId, address.expiresAt)).toBeUndefined()
      // Replaces it a second time.
      const next = changeOf(address, { previousSecretId: change.secretId })
      expect(await addresses().replaceSecret(next, NOW)).toBe(true)
      expect([await find(change.secretId), (await find(next.secretId))?.id]).toEqual([undefined, address.id])
    })

    test('is replaced only with the current secret, and not for expired or private addresses', async () => {
      const address = await claimed(current())
      expect(await addresses().replaceSecret(changeOf(address, { previousSecretId: key() }), NOW)).toBe(false)
      expect(await addresses().replaceSecret(changeOf(address), address.expiresAt)).toBe(false)
      const locked = await claimed(current(), { private: true })
      expect(await addresses().replaceSecret(changeOf(locked), NOW)).toBe(false)
      const changes = Array.from({ length: 10 }, () => changeOf(address))
      const answers = await Promise.all(changes.map((change) => addresses().replaceSecret(change, NOW)))
      expect(answers.filter(Boolean)).toHaveLength(1)
      const found = await Promise.all(changes.map(({ secretId }) => find(secretId)))
      expect(found.map((row) => row !== undefined)).toEqual(answers)
    })

    test('creates an address before the sweep removed the expired one that it opened', async () => {
      const address = await claimed(current())
      const change = changeOf(address)
      await addresses().replaceSecret(change, NOW)
      const again = newAddress({ id: change.secretId, nameKey: address.nameKey, expiresAt: NOW + 9 * DAY })
      expect(await addresses().claim(again, address.expiresAt - 1, change.secretId)).toBe(false)
      expect(await find(change.secretId)).toMatchObject({ id: address.id })
      expect(await addresses().claim(again, address.expiresAt, change.secretId)).toBe(true)
      expect(await find(change.secretId, address.expiresAt)).toMatchObject({ id: again.id })
      expect(await addresses().removeExpired(address.expiresAt, 10)).toEqual([])
    })

    test('ends only the forwardings of the address, and only if it is replaced', async () => {
      const [address, other] = [await claimed(current()), await claimed(current())]
      await forwarded(current(), address.id)
      await ask(current(), newForwarding(address.id))
      await forwarded(current(), other.id)
      const states = async ({ id }: NewAddress) =>
        (await current().forwardings.list(id)).map(({ state, end }) => end ?? state).toSorted()
      await addresses().replaceSecret(changeOf(address, { previousSecretId: key() }), NOW)
      expect(await states(address)).toEqual(['on', 'waiting'])
      await addresses().replaceSecret(changeOf(address), NOW)
      expect(await states(address)).toEqual(['replaced', 'replaced'])
      expect(await states(other)).toEqual(['on'])
    })

    test('that was replaced no longer adds anything, and its faults end', async () => {
      const address = await claimed(current())
      const { id } = address
      const change = changeOf(address)
      const { pushes, forwardings } = current()
      const faults = bytes(40)
      const push = { id: key(), addressId: id, sealed: bytes(9), hostKey: key(), sessionId: null, createdAt: NOW }
      expect(await addresses().setFaults(id, faults, NOW, id)).toBe(true)
      await addresses().replaceSecret(changeOf(address, { previousSecretId: key() }), NOW)
      expect(await addresses().find(id, NOW)).toMatchObject({ sealedFaults: faults })
      await addresses().replaceSecret(change, NOW)
      expect(await addresses().find(id, NOW)).toMatchObject({ sealedFaults: null })

      expect(await addresses().setFaults(id, faults, NOW, id)).toBe(false)
      expect(await pushes.subscribe(push, 3, NOW, id)).toBe(false)
      expect(await ask(current(), newForwarding(id, { secretId: id }))).toBe('silent')
      expect(await current().emails.waiting()).toBe(0)
      expect(await addresses().find(id, NOW)).toMatchObject({ sealedFaults: null, pushes: false })
      expect([await pushes.list(id, NOW), await forwardings.list(id)]).toEqual([[], []])

      const { secretId } = change
      expect(await addresses().setFaults(id, faults, NOW, secretId)).toBe(true)
      expect(await pushes.subscribe(push, 3, NOW, secretId)).toBe(true)
      expect(await ask(current(), newForwarding(id, { secretId }))).toBe('asked')
    })

    test('reserves the name of a deleted address for the last secret, not for an earlier one', async () => {
      const address = await claimed(current())
      const { nameKey, heldUntil } = address
      const change = changeOf(address)
      await addresses().replaceSecret(change, NOW)
      await addresses().remove(address.id, heldUntil)
      expect(await addresses().claim(newAddress({ nameKey }), NOW, address.id)).toBe(false)
      const again = newAddress({ nameKey })
      expect(await addresses().claim(again, NOW, change.secretId)).toBe(true)
      expect(await find(again.id)).toMatchObject({ id: again.id, nameKey })
      await addresses().remove(again.id, heldUntil)
      expect(await addresses().claim(newAddress({ nameKey }), NOW, change.secretId)).toBe(false)
      expect(await addresses().claim(newAddress({ nameKey }), NOW, again.id)).toBe(true)
    })

    test('that came first is used by nobody while the name is reserved for a later one', async () => {
      const [address, mine] = [await claimed(current()), await claimed(current())]
      const { id, nameKey, heldUntil } = address
      const change = changeOf(address)
      await addresses().replaceSecret(change, NOW)
      await addresses().remove(id, heldUntil)
      const elsewhere = newAddress({ id, expiresAt: NEVER, heldUntil: NEVER })
      for (const previousId of [undefined, id, change.secretId])
        expect(await addresses().claim(elsewhere, heldUntil - 1, previousId)).toBe(false)
      expect(await addresses().claim({ ...elsewhere, private: true }, NOW)).toBe(false)
      expect(await addresses().replaceSecret(changeOf(mine, { secretId: id }), NOW)).toBe(false)
      expect(await addresses().findRecipients([elsewhere.nameKey], NOW)).toEqual([])
      // Then the id is free, and whoever has it does not hold the former name.
      expect(await addresses().claim(elsewhere, heldUntil)).toBe(true)
      expect(await addresses().claim(newAddress({ nameKey, expiresAt: NEVER }), heldUntil)).toBe(true)
      expect(await find(id, heldUntil)).toMatchObject({ nameKey: elsewhere.nameKey })
    })

    test('is replaced only under its name: another name that its address had stays reserved for the earlier one', async () => {
      const former = await claimed(current())
      const { id, nameKey, heldUntil } = former
      await addresses().remove(id, heldUntil)
      const address = await claimed(current(), { id })
      const change = changeOf(address)
      expect(await addresses().replaceSecret(change, NOW)).toBe(true)
      expect(await addresses().claim(newAddress({ nameKey }), NOW, change.secretId)).toBe(false)
      expect(await addresses().claim(newAddress({ nameKey }), NOW, id)).toBe(true)
      expect(await find(change.secretId)).toMatchObject({ id, nameKey: address.nameKey })
    })

    test('opens one address: an address is not created again under a secret that opens another', async () => {
      const address = await claimed(current())
      const { secretId, ...change } = changeOf(address)
      await addresses().replaceSecret({ ...change, secretId }, NOW)
      await addresses().remove(address.id, address.heldUntil)
      const other = await claimed(current(), { id: secretId })
      expect(await addresses().claim({ ...address, secretId }, NOW, secretId)).toBe(false)
      await addresses().replaceSecret(changeOf(other), NOW)
      expect(await addresses().claim({ ...address, secretId }, NOW, secretId)).toBe(false)
      const third = await claimed(current())
      await addresses().remove(other.id, NOW)
      expect(await addresses().replaceSecret(changeOf(third, { secretId }), NOW + 1)).toBe(true)
      expect(await addresses().claim({ ...address, secretId }, NOW, secretId)).toBe(false)
    })

    test('differs from the id of an address that is created again', async () => {
      const address = await claimed(current())
      const change = changeOf(address)
      await addresses().replaceSecret(change, NOW)
      await addresses().remove(address.id, address.heldUntil)
      const { id, secretId } = change
      expect(await addresses().claim({ ...address, secretId }, NOW, secretId)).toBe(true)
      expect([await find(id), (await find(secretId))?.id]).toEqual([undefined, id])
      // An id that equals the secret of another address would be ambiguous.
      expect(await addresses().claim(newAddress({ id: secretId }), NOW)).toBe(false)
    })

    test('is replaced in the subscriber’s list in the same transaction, even when an address is added', async () => {
      const { id: subscriptionId } = await subscribed(current())
      const kept = () => current().keptAddresses
      const address = await claimed(current())
      const row = newKeptAddress(subscriptionId, address)
      const adopted = changeOf(address, { sealedSecret: row.sealedSecret })
      const stale = changeOf(address, { previousSecretId: key(), sealedSecret: bytes(60) })
      expect(await kept().add(row, 5, NOW, stale)).toBe(false)
      expect(await kept().list(subscriptionId, NOW)).toEqual([])
      expect(await find(address.id)).toMatchObject({ lifetime: 'day' })
      expect(await kept().add(row, 0, NOW, adopted)).toBe(false)
      expect(await find(address.id)).toMatchObject({ lifetime: 'day' })
      expect(await kept().add(row, 5, NOW, adopted)).toBe(true)
      expect(await find(address.id)).toBeUndefined()
      expect(await find(adopted.secretId)).toMatchObject({ id: address.id, lifetime: 'subscription', subscriptionId })
      expect(await kept().list(subscriptionId, NOW)).toMatchObject([
        { sealedSecret: row.sealedSecret, sealedEarlierKeys: adopted.sealedEarlierKeys },
      ])
      const next = changeOf(address, { previousSecretId: adopted.secretId, sealedSecret: bytes(60) })
      expect(await addresses().replaceSecret(next, NOW + DAY)).toBe(true)
      expect(await kept().list(subscriptionId, NOW)).toMatchObject([{ sealedSecret: next.sealedSecret }])
    })
  })
}
