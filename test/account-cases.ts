import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Outbound } from '#core/letter.ts'
import { messageIds } from '#core/message-id.ts'
import type { PaymentProvider } from '#core/payment.ts'
import type { AddressId } from '#core/ports.ts'
import type { EndRules, Payment, PaymentSource, Subscription, SubscriptionChange } from '#core/subscription.ts'
import { createMemoryBus } from '#events/bus.ts'
import { createAddressNames } from '#features/address-names.ts'
import { createAddresses } from '#features/addresses.ts'
import { createClaims } from '#features/claims.ts'
import { createAccount } from '#features/account.ts'
import { createAccountErase } from '#features/account-erase.ts'
import { createAccountExport } from '#features/account-export.ts'
import { createEndings } from '#features/endings.ts'
import { destinationKey, sealRoute } from '#features/forwarding-destination.ts'
import { createLetterSender } from '#features/letter-sender.ts'
import { createLetters } from '#features/letters.ts'
import { createSignIn, type SignedIn } from '#features/sign-in.ts'
import { createOutbox } from '#integrations/outbox.ts'
import { pathIn } from '#locales/languages.ts'
import { packBody } from '#mail/sealing/body.ts'
import { createOpener } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { defaults } from '#store/dialects/postgres/testing.ts'
import { openStore } from '#store/store.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { outboxOf } from './outbox.ts'
import { newDatabase } from './postgres.ts'
import { subscribe } from './subscriber.ts'
import { DAY, type HouseOptions, MINUTE } from './use-cases.ts'
import { voices } from './voices.ts'

const seal = createSeal()

export const SITE = 'https://mayfly.example'
export const RULES: EndRules = { grace: 7 * DAY, notice: 14 * DAY }
export const LINK_MINUTES = 15
export const LINKS_MAX = 3
export const SESSION = 90 * DAY

export type AccountCases = Awaited<ReturnType<typeof openAccountCases>>

export interface AccountCasesOptions extends HouseOptions {
  providers?: PaymentProvider[]
  /** Stands in front of the outbox. */
  outbound?: (outbox: Outbound) => Outbound
}

/** The use cases of an account over a real database, with mails in a real outbox, and a clock that the test turns. */
export async function openAccountCases({
  providers = [],
  outbound = (outbox) => outbox,
  ...options
}: AccountCasesOptions = {}) {
  const { engine = 'SQLite', wrap: before = (opened) => opened } = options
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-account-'))
  const time = { now: Date.UTC(2026, 0, 1) }
  const clock = (): number => time.now
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const metrics = createMetrics()
  const serviceKey = randomBytes(32)
  const wrap = createWrap(serviceKey)
  const bus = createMemoryBus(logger)
  const database = engine === 'PostgreSQL' ? await newDatabase(inject('postgres')) : undefined
  const postgres = database && { ...defaults, url: database.url, readers: 2, writers: 2 }
  const opened = await openStore({ directory, logger, readers: 1, postgres })
  const store = before(opened)
  const opener = createOpener(0)
  const newMessageId = messageIds(clock, randomBytes)
  const lifetimes = { day: DAY, tenMinutes: 10 * MINUTE, quarantine: 30 * DAY }
  const domains = [{ name: 'mayfly.test', tier: 'free' as const }]
  const addresses = createAddresses({
    store: store.addresses,
    keptAddresses: store.keptAddresses,
    bus,
    clock,
    names: createAddressNames({ random: (bound) => randomInt(bound), serviceKey, domains }),
    claims: createClaims({ store: store.addresses, clock, seal, lifetimes }),
    opener,
    lifetimes,
    storageBytes: { day: 1e6, 'ten-minutes': 1e6, subscription: 1e6, operator: 1e6 },
    visitGranularity: MINUTE,
  })
  const pageUrl =
    (path: string) =>
    (language: string): string =>
      SITE + pathIn(language, path)
  const sender = createLetterSender({
    store: store.letters,
    outbound: outbound(createOutbox(join(directory, 'outbox'), { from: 'noreply@mayfly.example', clock, logger })),
    sign: async (raw) => raw,
    wrap,
    clock,
    logger,
    metrics,
    settings: { from: 'noreply@mayfly.example', siteUrl: () => SITE, freeHours: 24 },
    random: () => 0,
    timeout: MINUTE,
    retryFor: DAY,
  })
  const letters = createLetters({ store, sender, wrap, clock, logger })
  const { accounts, keptAddresses, subscriptions } = store
  const signIn = createSignIn({
    accounts,
    subscriptions,
    letters,
    wrap,
    clock,
    logger,
    rules: RULES,
    linkUrl: (language, token) => pageUrl(`/account?link=${token}`)(language),
    linkMinutes: LINK_MINUTES,
    linksMax: LINKS_MAX,
    sessionLifetime: SESSION,
  })
  const account = createAccount({
    subscriptions,
    accounts,
    keptAddresses,
    providers,
    wrap,
    clock,
    rules: RULES,
    backUrl: pageUrl('/account?from=portal'),
    storageBytes: 1_000_000,
    limits: { addresses: 10, domains: 3 },
  })
  const endings = createEndings({
    subscriptions,
    keptAddresses,
    letters,
    wrap,
    clock,
    metrics,
    rules: RULES,
    lifetimes: { day: DAY, quarantine: 30 * DAY },
    accountUrl: pageUrl('/account'),
    premiumUrl: pageUrl('/premium'),
    step: 2,
  })

  return {
    directory,
    time,
    store,
    addresses,
    wrap,
    bus,
    metrics,
    sender,
    letters,
    signIn,
    account,
    endings,
    erase: createAccountErase({ store, providers, bus, wrap, clock, logger, quarantine: 30 * DAY }),
    export: createAccountExport({ store, wrap, opener, clock, pageSize: 3 }),
    outbox: outboxOf({ dataDir: directory }),
    /** Sends what is due. */
    post: () => sender.sendDue(voices, () => false),

    /** Signs a browser in once more. */
    async signedIn(email: string): Promise<SignedIn> {
      signIn.ask(email, 'en', 'browser')
      await signIn.settled()
      await this.post()
      const token = (await this.outbox.next(email, 'sign-in')).link.searchParams.get('link')!
      const session = await signIn.open({ token, browser: 'browser', userAgent: 'Firefox/140.0' })
      return (await signIn.find(session))!
    },

    subscribe: (email: string, change: SubscriptionChange = {}): Promise<Subscription> =>
      subscribe(store, wrap, email, { paidUntil: time.now + 365 * DAY, ...change }),

    /** Puts a mail into kept addresses, as a delivery does. */
    async deliver(kept: readonly { id: AddressId }[], raw = 'Subject: hello\r\n\r\nhello\r\n'): Promise<void> {
      const receivedAt = time.now
      const rows = await Promise.all(kept.map(({ id }) => store.addresses.find(id, receivedAt)))
      const messages = rows.map((row) => {
        if (!row) throw new Error('The address is gone')
        const envelope = {
          mailFrom: 'a@sender.example',
          recipient: 'x',
          helo: 'x',
          clientAddress: '192.0.2.1',
          tls: false,
        }
        const key = { addressId: row.id, id: newMessageId() }
        const body = packBody({ ...envelope, receivedAt }, Buffer.from(raw))
        return {
          ...key,
          receivedAt,
          expiresAt: receivedAt + 30 * DAY,
          size: raw.length,
          limitBytes: 1e6,
          sealedBody: seal(row.publicKey, messagePlace('body', key), body),
        }
      })
      await store.messages.append(messages)
    },

    /** As it is now. */
    async reread({ id }: Subscription): Promise<Subscription> {
      const subscription = await subscriptions.find(id)
      if (!subscription) throw new Error('It is gone')
      return subscription
    },

    /** Settles a source with what it paid. */
    async paid(
      subscription: Subscription,
      source: Partial<PaymentSource> = {},
      payments: Payment[] = [],
    ): Promise<void> {
      const { id, revision } = (await subscriptions.find(subscription.id)) ?? subscription
      await subscriptions.settle({
        subscriptionId: id,
        revision,
        event: null,
        source: {
          provider: 'stripe',
          ref: 'sub_1',
          orderId: 'order',
          customer: 'cus_1',
          plan: 'year',
          renews: true,
          failingSince: null,
          ...source,
        },
        payments,
        order: null,
        change: {},
        letters: [],
      })
    },

    /** Keeps an address; answers its id, its name and its secret. */
    async keep(
      { id: subscriptionId }: Subscription,
      login: string,
    ): Promise<{ id: AddressId; name: string; secret: string }> {
      const { secret, open } = await addresses.create({ login })
      const kept = {
        addressId: open.row.id,
        subscriptionId,
        nameKey: open.row.nameKey,
        sealedName: wrap.wrap('address', open.address),
        sealedLabel: wrap.wrap('address label', `Name of ${login}`),
        sealedSecret: wrap.wrap('address secret', secret),
        createdAt: time.now,
      }
      if (!(await keptAddresses.add(kept, 10, time.now))) throw new Error('There was no room')
      return { id: open.row.id, name: open.address, secret }
    },

    /** Asks a destination whether mail of a kept address may go there. */
    async forward({ id, name }: { id: AddressId; name: string }, destination: string): Promise<void> {
      const row = {
        id: 'forwarding-of-22-chars',
        addressId: id,
        destinationKey: destinationKey(wrap, destination),
        sealedDestination: sealRoute(wrap, 'forwarding-of-22-chars', { address: name, destination }),
        language: 'en',
        state: 'waiting' as const,
        end: null,
        createdAt: time.now,
        confirmedAt: null,
        endsAt: time.now + DAY,
        bounces: 0,
      }
      const letter = letters.queue(destination, 'en', { kind: 'forwarding-confirm', url: SITE, hours: 24 })
      const limits = { asksPerDay: 1, destinations: 1, rows: 1 }
      await store.forwardings.ask({ ...row, tokenHash: 'x' }, limits, time.now, letter)
    },

    async close() {
      await signIn.settled()
      await letters.stop(0)
      await opened.close()
      await database?.drop()
      await rm(directory, { recursive: true })
    },
  }
}
