import { randomBytes } from 'node:crypto'
import type { EndRules, Subscription, SubscriptionChange } from '#core/subscription.ts'
import { createKeptAddresses } from '#features/kept-addresses.ts'
import { createPrivateAddresses } from '#features/private-addresses.ts'
import { createPrivateMessages } from '#features/private-messages.ts'
import { createSecrets } from '#features/secrets.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { subscribe } from './subscriber.ts'
import { DAY, type HouseOptions, lifetimes, MINUTE, openUseCases, PAGE } from './use-cases.ts'

const seal = createSeal()

/** Addresses of a subscription, and characters of their names. */
export const PLACES = 3
export const LABEL = 10
/** How long keys are kept after they were replaced. */
export const KEEP_KEYS = 30 * DAY
const RULES: EndRules = { grace: 7 * DAY, notice: 14 * DAY }

/** The code of the problem that a call meets; `fine` where it meets none. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'fine',
    (error: { code?: string }) => error.code ?? String(error),
  )

export type KeptCases = Awaited<ReturnType<typeof openKeptCases>>

/** The use cases of kept addresses over a real database; whoever subscribes has proved the domain `own.example`. */
export async function openKeptCases(options: HouseOptions = {}) {
  const owners = new Map<string, Subscription>()
  const house = await openUseCases({
    ownDomains: {
      recipient: async (domain) => {
        const owner = owners.get(domain)
        return owner && { subscriptionId: owner.id, catchAll: catchAlls.get(domain) ?? null }
      },
    },
    ...options,
  })
  const catchAlls = new Map<string, string>()
  const { store, time, bus } = house
  const wrap = createWrap(randomBytes(32))
  const secrets = createSecrets({
    store: store.addresses,
    seal,
    opener: house.opener,
    wrap,
    bus,
    clock: () => time.now,
    keepKeys: KEEP_KEYS,
  })
  const kept = createKeptAddresses({
    secrets,
    store: store.keptAddresses,
    addresses: house.addresses,
    names: house.names,
    claims: house.claims,
    ownDomains: async ({ id }) => [...owners].filter(([, owner]) => owner.id === id).map(([name]) => name),
    bus,
    clock: () => time.now,
    wrap,
    rules: RULES,
    maxAddresses: PLACES,
    maxLabelCharacters: LABEL,
  })

  const clock = (): number => time.now
  const privateAddresses = createPrivateAddresses({
    store: store.addresses,
    kept,
    clock,
    lifetimes,
    visitGranularity: MINUTE,
  })
  const privateMessages = createPrivateMessages({
    store: store.messages,
    opener: house.opener,
    bus,
    clock,
    pageSize: PAGE,
  })

  return {
    ...house,
    kept,
    secrets,
    privateAddresses,
    privateMessages,
    wrap,
    owners,
    catchAlls,

    /** A new subscription, paid for a year. */
    subscribe: (change: SubscriptionChange = {}): Promise<Subscription> =>
      subscribe(store, wrap, `${randomBytes(8).toString('hex')}@real.example`, {
        paidUntil: time.now + 365 * DAY,
        ...change,
      }),

    /** Changes a subscription as its end and a payment do; answers it as it is then. */
    async change({ id }: Subscription, change: SubscriptionChange): Promise<Subscription> {
      const before = await store.subscriptions.find(id)
      if (!before || !(await store.subscriptions.change(id, before.revision, change))) throw new Error('Not changed')
      return { ...before, ...change, revision: before.revision + 1 }
    },

    /** The free rules: the addresses end in a day. */
    async lapse(subscription: Subscription): Promise<Subscription> {
      const end = time.now + DAY
      const lapsed = await this.change(subscription, { paidUntil: time.now - 30 * DAY, lapsed: true })
      await store.keptAddresses.release(subscription.id, end, end + 30 * DAY, time.now)
      return lapsed
    },

    /** Paid again. */
    comeBack(subscription: Subscription): Promise<Subscription> {
      return this.change(subscription, { paidUntil: time.now + 365 * DAY, lapsed: false })
    },
  }
}
