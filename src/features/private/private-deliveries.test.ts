import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY, HOUR } from '#core/time.ts'
import { sealedDeliveriesJson } from '#http/json/private.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { type KeptFixture, openKeptFixture } from '#test/support/fixtures/kept-addresses.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import { open } from '#web/private/box.ts'
import { deriveKeys, newSecret } from '#web/private/keys.ts'
import { openDeliveries, type PrivateMessage } from '#web/private/private-deliveries.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: KeptFixture
  beforeAll(async () => {
    fixture = await openKeptFixture({ engine })
  })
  afterAll(() => fixture.close())

  test('deliveries to a fully private address are sealed to its key, and its browser opens them', async () => {
    const { id, keys } = await deriveKeys(newSecret())
    const ann = await fixture.subscribe()
    const publicKey = Buffer.from(keys.publicKey).toString('base64url')
    const view = await fixture.privateAddresses.create(ann, { id, publicKey })
    const address = await fixture.privateAddresses.open(ann, id)
    const notified = new Promise<void>((resolve) => fixture.privateDeliveries.watch(address, resolve))
    await fixture.deliver([view.address])
    await fixture.deliver([view.address])
    await fixture.summaries.settled()
    const accepted = await fixture.receive.accept(view.address)
    const envelope = { mailFrom: 'a@sender.example', helo: 'sender.example', clientAddress: '192.0.2.1', tls: false }
    fixture.receive.failed([accepted], {
      envelope: { ...envelope, receivedAt: fixture.time.now },
      result: 'interrupted',
      reply: null,
      size: 7,
    })
    await fixture.deliveryLog.settled()
    await notified
    const [gone, kept] = (await fixture.privateMessages.list(address)).messages
    await fixture.privateMessages.remove(address, gone!.id)

    const list = await fixture.privateDeliveries.list(address)
    expect(list.failed.map(({ sealed }) => Buffer.from(sealed).includes('sender.example'))).toEqual([false])
    const place = messagePlace('summary', { addressId: id, id: kept!.id })
    const summary = await open(keys, place, new Uint8Array(kept!.summary!))
    const { origin } = JSON.parse(Buffer.from(summary).toString())
    const message = {
      ...kept,
      receivedAt: new Date(kept!.receivedAt).toISOString(),
      from: { name: '', address: 'a@sender.example' },
      authentication: { spf: 'none', dkim: 'none', dmarc: 'none' },
      origin,
    } as unknown as PrivateMessage
    const { deliveries } = await openDeliveries(id, keys, sealedDeliveriesJson(list), [message])
    const server = { name: 'sender.example', network: '192.0.2.0/24' }
    expect(deliveries.map(({ result }) => result).toSorted()).toEqual(['deleted', 'interrupted', 'received'])
    expect(deliveries.find(({ result }) => result === 'received')).toMatchObject({ server, messageId: kept!.id })
    expect(deliveries.find(({ result }) => result === 'interrupted')).toMatchObject({ server, size: 7, count: 1 })

    const other = await deriveKeys(newSecret())
    const unopened = await openDeliveries(id, other.keys, sealedDeliveriesJson(list), [])
    expect(unopened.deliveries.map(({ result }) => result)).toEqual(['deleted'])
  })

  test('the list starts when entries may have expired, and has what was repeated since', async () => {
    const { id, keys } = await deriveKeys(newSecret())
    const ann = await fixture.subscribe()
    const publicKey = Buffer.from(keys.publicKey).toString('base64url')
    const view = await fixture.privateAddresses.create(ann, { id, publicKey })
    const address = await fixture.privateAddresses.open(ann, id)
    expect((await fixture.privateDeliveries.list(address)).since).toBe(address.createdAt)
    const accepted = await fixture.receive.accept(view.address)
    const envelope = { mailFrom: 'a@sender.example', helo: 'sender.example', clientAddress: '192.0.2.1', tls: false }
    const fail = () =>
      fixture.receive.failed([accepted], {
        envelope: { ...envelope, receivedAt: fixture.time.now },
        result: 'unsent',
        reply: null,
        size: null,
      })
    const start = fixture.time.now
    fail()
    fixture.time.now += HOUR / 2
    fail()
    await fixture.deliveryLog.settled()
    fixture.time.now = start + 30 * DAY + 1
    const list = await fixture.privateDeliveries.list(address)
    expect(list.since).toBe(start + 1)
    const { deliveries } = await openDeliveries(id, keys, sealedDeliveriesJson(list), [])
    expect(deliveries).toMatchObject([{ result: 'unsent', count: 2 }])
  })
})
