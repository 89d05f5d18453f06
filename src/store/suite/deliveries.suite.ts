import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DELIVERIES_KEPT, type NewDelivery } from '#core/mailbox/delivery.ts'
import type { Store } from '#core/store.ts'
import { DAY, HOUR } from '#core/time.ts'
import { claimed, key, newMessage, NOW } from './fixtures.ts'

let ids = 0

/** Returns a failed delivery. Ids and times increase with each call. */
function newDelivery(addressId: string, fields: Partial<NewDelivery> = {}): NewDelivery {
  const id = `01k${String(++ids).padStart(23, '0')}`
  return { addressId, id, expiresAt: NOW + DAY + ids, sealedDelivery: randomBytes(300), ...fields }
}

export function deliveriesContract(current: () => Store): void {
  const deliveries = () => current().deliveries
  const put = (...all: NewDelivery[]) => deliveries().put(all, NOW)
  const listed = async (addressId: string, now = NOW) =>
    (await deliveries().list(addressId, now)).failed.map(({ id }) => id)

  describe('deliveries', () => {
    test('lists stored deliveries of one address, the latest first', async () => {
      const [mine, other] = [await claimed(current()), await claimed(current())]
      const [one, two, three] = [newDelivery(mine.id), newDelivery(other.id), newDelivery(mine.id)]
      await put(one, two, three)
      expect(await deliveries().list(mine.id, NOW)).toEqual({
        failed: [three, one].map(({ id, sealedDelivery }) => ({ id, sealedDelivery: new Uint8Array(sealedDelivery) })),
        gone: [],
      })
    })

    test('replaces a delivery with the same id', async () => {
      const { id } = await claimed(current())
      const [first, second] = [newDelivery(id), newDelivery(id)]
      await put(first, second)
      const again = { ...first, expiresAt: NOW + 2 * DAY, sealedDelivery: randomBytes(310) }
      await put(again)
      const { failed } = await deliveries().list(id, NOW)
      expect(failed.map((each) => each.id)).toEqual([first.id, second.id])
      expect(failed[0]?.sealedDelivery).toEqual(new Uint8Array(again.sealedDelivery))
    })

    test('stores nothing for an address that does not exist or has expired', async () => {
      const { id } = await claimed(current(), { expiresAt: NOW })
      const missing = key()
      await put(newDelivery(id), newDelivery(missing))
      expect([await listed(id), await listed(missing)]).toEqual([[], []])
    })

    test(`keeps the latest ${DELIVERIES_KEPT} of an address`, async () => {
      const [{ id }, other] = [await claimed(current()), await claimed(current())]
      const all = Array.from({ length: DELIVERIES_KEPT + 3 }, () => newDelivery(id))
      await put(newDelivery(other.id), ...all.slice(0, DELIVERIES_KEPT))
      expect(await listed(id)).toHaveLength(DELIVERIES_KEPT)
      await put(...all.slice(DELIVERIES_KEPT))
      expect((await listed(id)).toSorted()).toEqual(all.slice(3).map((each) => each.id))
      expect(await listed(other.id)).toHaveLength(1)
    })

    test('removes expired deliveries up to a limit, and never lists them', async () => {
      const { id } = await claimed(current(), { expiresAt: NOW + 9 * DAY })
      const all = [1, 2, 3].map((hours) => newDelivery(id, { expiresAt: NOW + hours * HOUR }))
      await put(...all)
      expect(await listed(id, NOW + 2 * HOUR)).toEqual([all[2]!.id])
      expect(await deliveries().removeExpired(NOW + 2 * HOUR, 1)).toBe(1)
      expect(await listed(id)).toEqual([all[2]!.id, all[1]!.id])
      expect(await deliveries().removeExpired(NOW + 2 * HOUR, 10)).toBe(1)
      expect(await deliveries().removeExpired(NOW + 2 * HOUR, 10)).toBe(0)
      expect(await listed(id)).toEqual([all[2]!.id])
    })

    test.each(['deleted', 'expired'])('go with an address that is %s', async (how) => {
      const { id } = await claimed(current(), { expiresAt: NOW + HOUR })
      await put(newDelivery(id), newDelivery(id))
      if (how === 'deleted') await current().addresses.remove(id, NOW + 30 * DAY)
      else await current().addresses.removeExpired(NOW + HOUR, 100)
      expect(await listed(id)).toEqual([])
    })

    test('lists the ids of messages that are gone, newest first', async () => {
      const { id } = await claimed(current())
      const messages = [newMessage(id), newMessage(id), newMessage(id)]
      await current().messages.append(messages)
      await current().messages.remove(id, messages[0]!.id)
      await current().messages.remove(id, messages[2]!.id)
      expect((await deliveries().list(id, NOW)).gone).toEqual([messages[2]!.id, messages[0]!.id])
      expect((await deliveries().list(id, NOW + DAY)).gone).toEqual([])
    })
  })
}
