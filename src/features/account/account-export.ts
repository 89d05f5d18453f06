import { type KeptAddressRow, keptRow } from '#core/account/kept-address.ts'
import type { FaultRule } from '#core/mailbox/fault.ts'
import { timeOf } from '#core/mailbox/message-id.ts'
import type { PushEndpoint } from '#core/push/push.ts'
import type { Store } from '#core/store.ts'
import type { Clock } from '#core/time.ts'
import { shownDestination } from '#features/forwarding/index.ts'
import { readFaults } from '#features/mailbox/index.ts'
import { inBatches } from '#lib/batches.ts'
import { zip, type ZipEntry } from '#lib/zip.ts'
import { unpackBody } from '#mail/sealing/body.ts'
import { ifIntact } from '#mail/sealing/if-intact.ts'
import { withRing } from '#mail/sealing/key-ring.ts'
import { type AddressKeys, deriveKeys } from '#mail/sealing/keys.ts'
import type { Opener } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { SignedIn } from './sign-in.ts'

interface AccountExportDeps {
  store: Pick<
    Store,
    | 'accounts'
    | 'addresses'
    | 'apiKeys'
    | 'deliveries'
    | 'forwardingJobs'
    | 'forwardings'
    | 'keptAddresses'
    | 'messages'
    | 'orders'
    | 'ownDomains'
    | 'pushes'
    | 'subscriptions'
    | 'webhooks'
  >
  wrap: Wrap
  opener: Pick<Opener, 'open'>
  clock: Clock
  /** Messages, and entries of a log, per batch. */
  pageSize: number
}

/**
 * Yields a ZIP file with the account of a subscriber, the addresses and the messages. It is generated as fast as it is read,
 * with one message in memory at a time.
 */
export type AccountExport = (signedIn: SignedIn) => AsyncGenerator<Uint8Array>

/** Properties that the export writes as RFC 3339 times, unless they are null. */
const TIMES = new Set([
  'at',
  'checkedAt',
  'confirmedAt',
  'createdAt',
  'deliveredAt',
  'endsAt',
  'dueAt',
  'expiresAt',
  'failingSince',
  'finishedAt',
  'firstAt',
  'noticeAt',
  'paidAt',
  'paidUntil',
  'seenAt',
  'until',
  'usedAt',
])

const toJson = (value: object): Uint8Array =>
  Buffer.from(
    `${JSON.stringify(value, (key, each: unknown) => (TIMES.has(key) && typeof each === 'number' ? new Date(each).toISOString() : each), 2)}\n`,
  )

const README = `account.json: your account, your addresses, and what you and your programs set up for them.
mail/ADDRESS/*.eml: your messages as they were received (RFC 5322). Email programs can open these files.
mail/ADDRESS/*.sealed: messages to your fully private addresses, in their stored form. Only your browsers and your recovery
file or phrase have the key that opens them.
mail/ADDRESS/*.damaged: messages that could not be opened because their stored copy is damaged.
deliveries/ADDRESS/*.json: emails that were not received. Also as .sealed and .damaged, like messages.
part-2.zip and so on: more messages, if they do not fit into one archive.
Not included: emails to you and calls to your webhooks that wait to be sent, sign-in links, and what your programs set up
for the test addresses of your API keys.
`

export function createAccountExport({ store, wrap, opener, clock, pageSize }: AccountExportDeps): AccountExport {
  const nameOf = (row: KeptAddressRow): string =>
    wrap.unwrapOrEmpty('address', row.sealedName, keptRow(row)) || row.addressId

  /** Yields rows of which `list` returns a batch, the newest first. */
  const paged = <Row extends { id: string }>(
    list: (options: { limit: number; before: string | undefined }) => Promise<Row[]>,
  ): AsyncGenerator<Row> => inBatches<Row>((limit, after) => list({ limit, before: after?.id }), { size: pageSize })

  /** Returns the forwardings of an address, and the log of what was forwarded. */
  async function forwardingsOf({ addressId }: KeptAddressRow): Promise<{ forwardings: object[]; forwarded: object[] }> {
    const rows = await store.forwardings.list(addressId)
    const destinations = new Map(rows.map((row) => [row.destinationKey, shownDestination(wrap, row)]))
    const forwarded: object[] = []
    for await (const job of paged((options) => store.forwardingJobs.log(addressId, options))) {
      const { destinationKey, messageId, createdAt, attempts, dueAt, finishedAt, outcome, status } = job
      const destination = destinations.get(destinationKey) ?? null
      forwarded.push({ destination, message: messageId, createdAt, attempts, dueAt, finishedAt, outcome, status })
    }
    const forwardings = rows.map((row) => ({
      destination: destinations.get(row.destinationKey),
      language: row.language,
      state: row.state,
      end: row.end,
      createdAt: row.createdAt,
      confirmedAt: row.confirmedAt,
      endsAt: row.endsAt,
    }))
    return { forwardings, forwarded }
  }

  /** Returns the faults of addresses by their ids. */
  async function faultsOf(addresses: readonly KeptAddressRow[]): Promise<Map<string, FaultRule[]>> {
    const rows = await store.addresses.findAll(
      addresses.map(({ addressId }) => addressId),
      clock(),
    )
    return new Map(rows.map(({ id, sealedFaults }) => [id, readFaults(wrap, id, sealedFaults)]))
  }

  /** Returns the browsers that are told of new messages to an address. */
  async function pushesOf({ addressId }: KeptAddressRow): Promise<object[]> {
    return (await store.pushes.list(addressId, clock())).map(({ id, sealed, createdAt }) => {
      const subscription = wrap.unwrapOrEmpty('push', sealed, id)
      return { endpoint: subscription && (JSON.parse(subscription) as PushEndpoint).endpoint, createdAt }
    })
  }

  async function account({ subscription, sessionId }: SignedIn, addresses: readonly KeptAddressRow[]): Promise<object> {
    const { id, emailKey, sealedEmail, revision: _, ...subscriptionData } = subscription
    const [sources, payments, orders, sessions, domains, keys, webhooks, keyAddresses, forwardings, pushes, faults] =
      await Promise.all([
        store.subscriptions.sources(id),
        store.subscriptions.payments(id),
        store.orders.ofEmail(emailKey),
        store.accounts.sessions(id, clock()),
        store.ownDomains.list(id),
        store.apiKeys.list(id),
        store.webhooks.list(id),
        store.addresses.ofKeys(id, clock()).then((ids) => store.addresses.findAll(ids, clock())),
        Promise.all(addresses.map(forwardingsOf)),
        Promise.all(addresses.map(pushesOf)),
        faultsOf(addresses),
      ])
    // Before the owner of the email address has confirmed it, orders for it may be those of somebody else.
    const paid = new Set(sources.map(({ orderId }) => orderId))
    const shownOrders = orders.filter((order) => subscription.confirmed || paid.has(order.id))
    const names = new Map(addresses.map((each) => [each.addressId, nameOf(each)]))
    return {
      email: wrap.unwrapOrEmpty('email', sealedEmail, emailKey),
      subscription: subscriptionData,
      sources,
      payments,
      orders: shownOrders.map(({ emailKey: orderKey, sealedEmail: email, browserHash: _hash, ...order }) => ({
        ...order,
        email: wrap.unwrapOrEmpty('email', email, orderKey),
      })),
      sessions: sessions.map(({ id: session, sealedLabel, createdAt, seenAt, expiresAt }) => ({
        label: wrap.unwrapOrEmpty('session label', sealedLabel, session),
        createdAt,
        seenAt,
        expiresAt,
        current: session === sessionId,
      })),
      addresses: addresses.map((each, i) => ({
        address: nameOf(each),
        label: each.sealedLabel && wrap.unwrapOrEmpty('address label', each.sealedLabel, keptRow(each)),
        private: each.sealedSecret === null,
        createdAt: each.createdAt,
        expiresAt: each.expiresAt,
        usedBytes: each.usedBytes,
        unread: each.unread,
        ...forwardings[i],
        pushes: pushes[i],
        faults: faults.get(each.addressId) ?? [],
      })),
      domains: domains.map(({ subscriptionId: _subscription, catchAll, ...domain }) => ({
        ...domain,
        catchAll: catchAll && (names.get(catchAll) ?? null),
      })),
      keys: keys.map(({ id: key, sealedLabel, createdAt, usedAt }) => ({
        label: wrap.unwrapOrEmpty('key label', sealedLabel, key),
        createdAt,
        usedAt,
      })),
      // Only the programs that created these addresses have their names and keys.
      keyAddresses: keyAddresses.map(({ createdAt, expiresAt, usedBytes }) => ({ createdAt, expiresAt, usedBytes })),
      webhooks: webhooks.map(({ id: webhook, sealedUrl, createdAt, deliveredAt, failingSince, off }) => ({
        url: wrap.unwrapOrEmpty('webhook url', sealedUrl, webhook),
        createdAt,
        deliveredAt,
        failingSince,
        off,
      })),
    }
  }

  /** Returns the keys of an address. Undefined for a fully private address, or if the secret is damaged. */
  function keysOf(row: KeptAddressRow): AddressKeys | undefined {
    const { addressId: id, createdAt, sealedSecret, sealedEarlierKeys } = row
    const secret = sealedSecret && wrap.unwrapOrEmpty('address secret', sealedSecret, keptRow(row))
    const keys = deriveKeys(secret ?? '')
    return keys && withRing(opener, keys, { id, createdAt }, sealedEarlierKeys)
  }

  async function* mailOf(address: KeptAddressRow): AsyncGenerator<ZipEntry> {
    const keys = keysOf(address)
    const name = nameOf(address)
    const closed = address.sealedSecret === null ? 'sealed' : 'damaged'
    const messages = paged((options) => store.messages.list(address.addressId, { now: clock(), ...options }))
    for await (const message of messages) {
      const sealed = await store.messages.body(message)
      // Deleted since the batch was read.
      if (!sealed) continue
      const { id, receivedAt: time } = message
      // The export continues after a damaged one.
      const raw = keys && ifIntact(() => unpackBody(opener.open(keys, messagePlace('body', message), sealed)).raw)
      yield { name: `mail/${name}/${id}.${raw ? 'eml' : closed}`, time, content: raw ?? sealed }
    }
    const { failed } = await store.deliveries.list(address.addressId, clock())
    for (const { id, sealedDelivery } of failed) {
      const place = messagePlace('delivery', { addressId: address.addressId, id })
      const delivery = keys && ifIntact(() => opener.open(keys, place, sealedDelivery))
      const content = delivery ? toJson(JSON.parse(Buffer.from(delivery).toString()) as object) : sealedDelivery
      yield { name: `deliveries/${name}/${id}.${delivery ? 'json' : closed}`, time: timeOf(id), content }
    }
  }

  async function* entriesOf(signedIn: SignedIn): AsyncGenerator<ZipEntry> {
    const time = clock()
    const addresses = await store.keptAddresses.list(signedIn.subscription.id, time)
    yield { name: 'README.txt', time, content: Buffer.from(README) }
    yield { name: 'account.json', time, content: toJson(await account(signedIn, addresses)) }
    for (const address of addresses) yield* mailOf(address)
  }

  return (signedIn) => zip(entriesOf(signedIn))
}
