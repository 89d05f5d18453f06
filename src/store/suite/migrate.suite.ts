import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AddressRow } from '#core/mailbox/address.ts'
import type { NewMessage } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import type { Database } from '../database.ts'
import { createStore } from '../store.ts'
import { claimed, key, newAddress, newMessage, NOW } from './fixtures.ts'
import { forwarded } from './forwarding-fixtures.ts'
import { newKeptAddress, subscribed } from './premium-fixtures.ts'

/** A place for one database, initially empty. */
interface Place {
  /** Opens the database and migrates it, completely or up to the migration `until`. */
  open(until?: string): Promise<Database>
  /** Inserts a message into the tables of migration 001, as the version of that time did. */
  insertMessage(database: Database, message: NewMessage): Promise<void>
  drop(): Promise<void>
}

const VERSIONS = [
  '001-addresses-and-messages',
  '002-facts',
  '003-premium',
  '004-api-keys-and-webhooks',
  '005-forwarding',
  '006-sign-in-link-binding',
  '007-address-secrets',
  '008-operator-shares',
  '009-bound-boxes',
  '010-emails-and-metadata',
  '011-paid-sessions',
  '012-deliveries',
  '013-faults',
  '014-address-passwords',
  '015-push',
  '016-announced-messages',
  '017-own-domains-of-addresses',
  '019-names-by-address',
  '020-keys-of-addresses',
  '021-payment-events-by-time',
  '022-last-ids',
]

/** Inserts an address as the first version did. */
async function insertAddress({ write }: Database) {
  const address = newAddress()
  const { id, nameKey, publicKey, sealedName, lifetime, createdAt, expiresAt, heldUntil } = address
  await sql`insert into names (name_key, address_id, held_until) values (${nameKey}, ${id}, ${heldUntil})`.execute(
    write,
  )
  await sql`
    insert into addresses
      (id, name_key, public_key, sealed_name, lifetime, created_at, expires_at, used_bytes, revision)
    values (${id}, ${nameKey}, ${publicKey}, ${sealedName}, ${lifetime}, ${createdAt}, ${expiresAt}, 1000, 2)`.execute(
    write,
  )
  await sql`
    insert into tombstones (address_id, revision, message_id, expires_at)
    values (${id}, 2, ${newMessage(id).id}, ${expiresAt})`.execute(write)
  return address
}

/** Returns the live addresses, using columns of the first version. */
async function addressesOf({ read }: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id, name_key, public_key, sealed_name, lifetime, created_at, expires_at, used_bytes, revision
      from addresses where expires_at > ${NOW} order by id`.execute(read)
  return rows.map(({ id }) => id)
}

/** Creates an address that a new subscription keeps. */
async function keptAddress(store: Store): Promise<AddressRow> {
  const { id } = await subscribed(store)
  const address = await claimed(store)
  expect(await store.keptAddresses.add(newKeptAddress(id, address), 1, NOW)).toBe(true)
  const row = await store.addresses.find(address.id, NOW)
  return row!
}

/** Tests the migrations of a dialect. */
export function migrationsContract(name: string, place: () => Promise<Place>): void {
  describe(`migrations on ${name}`, () => {
    let here: Place
    beforeEach(async () => {
      here = await place()
    })
    afterEach(() => here.drop())

    test.each(VERSIONS)('migrates a database of %s and keeps its rows', async (version) => {
      const old = await here.open(version)
      const address = await insertAddress(old)
      const message = newMessage(address.id, { sealedBody: randomBytes(3000) })
      await here.insertMessage(old, message)
      await old.close()

      const database = await here.open()
      const { addresses, messages, ...store } = createStore(database)
      expect(await addresses.find(address.id, NOW)).toMatchObject({ usedBytes: 1000, revision: 2 })
      expect(await addresses.findRecipients([address.nameKey], NOW)).toMatchObject([{ id: address.id }])
      expect(await addresses.claim(newAddress({ nameKey: address.nameKey }), NOW)).toBe(false)
      expect(await messages.list(address.id, { now: NOW, limit: 10 })).toMatchObject([{ id: message.id, seen: false }])
      expect(await messages.body(message)).toEqual(new Uint8Array(message.sealedBody))
      expect((await messages.changes(address.id, 1, NOW)).deleted).toHaveLength(1)
      expect(await messages.append([newMessage(address.id)])).toEqual(['stored'])
      expect(await store.ensureMetadata('fact', 'value')).toBe('value')
      await store.check()
      await forwarded(createStore(database), address.id)
      expect(await addresses.findRecipients([address.nameKey], NOW)).toMatchObject([{ id: address.id, forwards: true }])
      expect(await keptAddress(createStore(database))).toMatchObject({ lifetime: 'subscription' })
      await database.close()
    })

    test('stores the time from which boxes are bound to their place, if there were addresses before', async () => {
      const began = Date.now()
      const old = await here.open('008-operator-shares')
      await insertAddress(old)
      await (await here.open()).close()
      const store = createStore(old)
      const from = Number(await store.ensureMetadata('bound from', '0'))
      // The previous version may run for another day.
      const rollout = 24 * 3_600_000
      expect(from).toBeGreaterThanOrEqual(began + rollout)
      expect(from).toBeLessThanOrEqual(Date.now() + rollout)
      await (await here.open()).close()
      expect(await store.ensureMetadata('bound from', '0')).toBe(String(from))
      await old.close()
    })

    test('marks all boxes of a new database as bound to their place', async () => {
      const database = await here.open()
      expect(await createStore(database).ensureMetadata('bound from', '1')).toBe('0')
      await database.close()
    })

    test('lets the previous version start and run on the new tables', async () => {
      const before = await here.open('002-facts')
      const addresses = [await insertAddress(before)]
      const after = await here.open()
      const again = await here.open('002-facts')
      for (const database of [before, again]) addresses.push(await insertAddress(database))
      const kept = await keptAddress(createStore(after))
      for (const database of [before, after, again]) {
        // The tables and columns of its statements exist, and new ones do not affect them.
        expect(await addressesOf(database)).toEqual([...addresses, kept].map(({ id }) => id).toSorted())
        expect(await createStore(database).messages.append([newMessage(kept.id)])).toEqual(['stored'])
      }
      const store = createStore(after)
      for (const { id, nameKey } of addresses) {
        expect(await store.addresses.find(id, NOW)).toMatchObject({ subscriptionId: null, private: false })
        expect(await store.addresses.findRecipients([nameKey], NOW)).toMatchObject([
          { id, private: false, forwards: false },
        ])
      }
      expect(await store.messages.list(kept.id, { now: NOW, limit: 10 })).toHaveLength(3)
      await Promise.all([before, after, again].map((each) => each.close()))
    })

    test.runIf(name === 'PostgreSQL')(
      'the previous version reads and writes renamed tables under their earlier names',
      async () => {
        const database = await here.open()
        const store = createStore(database)
        await store.ensureMetadata('colour', 'green')
        await sql`insert into facts (name, value) values ('colour', 'red'), ('size', 'l') on conflict (name) do nothing`.execute(
          database.write,
        )
        expect([await store.ensureMetadata('colour', ''), await store.ensureMetadata('size', '')]).toEqual([
          'green',
          'l',
        ])
        await store.emails.add([{ id: key(), sealed: randomBytes(9), createdAt: NOW }])
        const taken = await sql`
        update letters set due_at = ${NOW + 1} where id in (select id from letters where due_at <= ${NOW} for update skip locked)
        returning id`.execute(database.write)
        expect(taken.rows).toHaveLength(1)
        await sql`delete from letters`.execute(database.write)
        expect(await store.emails.waiting()).toBe(0)
        await database.close()
      },
    )

    test('creates the tables once if many processes start on a new database', async () => {
      const opened = await Promise.all(Array.from({ length: 5 }, () => here.open()))
      const stores = opened.map(createStore)
      const { id } = await claimed(stores[0]!)
      expect(await stores[4]!.addresses.find(id, NOW)).toBeDefined()
      await Promise.all(opened.map((each) => each.close()))
    })

    test('accepts a database that a newer version expanded, but not one that it contracted', async () => {
      const database = await here.open()
      const made = (migration: string) =>
        sql`insert into kysely_migration values (${migration}, '2030-01-01T00:00:00.000Z')`.execute(database.write)
      await made('900-future')
      const again = await here.open()
      await createStore(again).check()
      await again.close()
      await made('901-contract-future')
      await database.close()
      await expect(here.open()).rejects.toThrow('newer version of Mayfly (it has the migration 901-contract-future)')
    })
  })
}
