import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { NewForwardingJob } from '#core/forwarding.ts'
import type { Store } from '#core/ports.ts'
import {
  createForwardings,
  type ForwardingsDeps,
  type ForwardingView,
  type ForwardingWay,
} from '#features/forwarding.ts'
import { createForwardingConsent } from '#features/forwarding-consent.ts'
import { createIsOurs } from '#features/forwarding-destination.ts'
import type { OpenAddress } from '#features/addresses.ts'
import { createLetterSender } from '#features/letter-sender.ts'
import { createLetters } from '#features/letters.ts'
import { createOutbox } from '#integrations/outbox.ts'
import { pathIn } from '#locales/languages.ts'
import { createMarks } from '#mail/forwarding/mark.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { openKeptCases } from './kept-cases.ts'
import { outboxOf } from './outbox.ts'
import { DAY, type HouseOptions, lifetimes, MINUTE } from './use-cases.ts'
import { voices } from './voices.ts'

export const SITE = 'https://mayfly.example'
export const PLACES = { free: 1, subscription: 3 }
export const ASKS = 3
export const ROWS = 5
export const DAYS = 7
export const LINK_HOURS = 24
export const LOG_PAGE = 2
/** A host of the service that is no mail domain. */
export const HOST = 'bounces.host.test'

export type ForwardingCases = Awaited<ReturnType<typeof openForwardingCases>>

export interface ForwardingCasesOptions extends HouseOptions {
  available?: ForwardingWay
  askLimits?: ForwardingsDeps['askLimits']
}

/** The use cases of forwarding over a real database, with mails in a real outbox, and a clock that the test turns. */
export async function openForwardingCases({ available = 'relay', askLimits, ...options }: ForwardingCasesOptions = {}) {
  /** What the next message takes along, as receiving it would. */
  const jobs: NewForwardingJob[] = []
  const sendingOn = (store: Store): Store => ({
    ...store,
    messages: {
      ...store.messages,
      append: (messages) => {
        const forwarding = jobs.length > 0 ? { sealedMail: randomBytes(9), jobs: jobs.splice(0) } : undefined
        return store.messages.append(messages.map((each) => ({ ...each, forwarding })))
      },
    },
  })
  const { wrap: before = (store: Store) => store } = options
  const house = await openKeptCases({ ...options, wrap: (store) => sendingOn(before(store)) })
  const { store, time, directory, wrap, owners } = house
  const clock = (): number => time.now
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const metrics = createMetrics()
  const sender = createLetterSender({
    store: store.letters,
    outbound: createOutbox(join(directory, 'outbox'), { from: 'noreply@mayfly.example', clock, logger }),
    sign: async (raw) => raw,
    wrap,
    clock,
    logger,
    metrics,
    settings: { from: 'noreply@mayfly.example', siteUrl: () => SITE, freeHours: 24 },
    random: () => 0,
    timeout: MINUTE,
    retryFor: 30 * DAY,
  })
  const letters = createLetters({ store, sender, wrap, clock, logger })
  const linkUrl =
    (kind: string) =>
    (language: string, token: string): string =>
      SITE + pathIn(language, `/forwarded?${kind}=${token}`)
  const isOurs = createIsOurs(['mayfly.test', 'vip.mayfly.test', HOST], {
    recipient: async (domain) => {
      const owner = owners.get(domain)
      return owner && { subscriptionId: owner.id, catchAll: null }
    },
  })
  const marks = createMarks(randomBytes(32))
  const forwardings = createForwardings({
    store: store.forwardings,
    jobs: store.forwardingJobs,
    messages: house.messages,
    letters,
    wrap,
    clock,
    metrics,
    available,
    isOurs,
    confirmUrl: linkUrl('confirm'),
    places: PLACES,
    limits: { asksPerDay: ASKS, rows: ROWS },
    ...(askLimits && { askLimits }),
    days: DAYS,
    linkHours: LINK_HOURS,
    pageSize: LOG_PAGE,
  })
  const consent = createForwardingConsent({
    store: store.forwardings,
    addresses: store.addresses,
    letters,
    marks,
    wrap,
    clock,
    logger,
    metrics,
    stopUrl: linkUrl('stop'),
    places: PLACES,
    lifetimes,
    days: DAYS,
  })
  const outbox = outboxOf({ dataDir: directory })
  const post = (): Promise<void> => sender.sendDue(voices, () => false)

  return {
    ...house,
    jobs,
    sender,
    metrics,
    marks,
    forwardings,
    consent,
    outbox,
    /** Sends what is due. */
    post,

    /** A free address. */
    async open(request = {}): Promise<OpenAddress> {
      return (await house.addresses.create(request)).open
    },

    /** The same address at its next visit; rejects where it has ended. */
    async reread(open: OpenAddress): Promise<OpenAddress> {
      const row = await store.addresses.find(open.row.id, time.now)
      if (!row) throw new Error('The address has ended')
      return { ...open, row }
    },

    /** How many mails of a kind a destination has got so far. */
    async mailsTo(destination: string, kind = 'forwarding-confirm'): Promise<number> {
      await post()
      const mails = await outbox.all()
      return mails.filter(({ to, file }) => to?.[0]?.address === destination && file.includes(`-${kind}-`)).length
    },

    /** The link of the last mail to a destination. */
    async linkTo(destination: string, kind: 'confirm' | 'stop' = 'confirm') {
      await post()
      const { link } = await outbox.next(destination, kind === 'confirm' ? 'forwarding-confirm' : 'forwarding-on')
      return { kind, token: link.searchParams.get(kind) ?? '' }
    },

    /** Asks a destination, and lets it agree; answers its stop link. */
    async agree(open: OpenAddress, destination: string) {
      const view: ForwardingView = await forwardings.ask(open, destination, 'en')
      const token = await consent.act(await this.linkTo(destination), 'confirm')
      if (token === undefined) throw new Error('The link was over')
      return { id: view.id, link: { kind: 'stop' as const, token } }
    },

    async close() {
      await letters.stop(0)
      await house.close()
    },
  }
}

/** What tests of a house that is opened later do again and again. */
export function actsIn(house: () => ForwardingCases) {
  let count = 0
  /** A destination that nobody has asked yet. */
  const somebody = (): string => `somebody${++count}@real.example`
  const list = async (open: OpenAddress): Promise<ForwardingView[]> =>
    (await house().forwardings.list(open)).forwardings
  return {
    somebody,
    list,
    only: async (open: OpenAddress) => (await list(open))[0],
    ask: (open: OpenAddress, destination = somebody(), language = 'en') =>
      house().forwardings.ask(open, destination, language),
    /** Somebody with Premium, and an address of his. */
    async subscribed() {
      const ann = await house().subscribe()
      return { ann, open: (await house().kept.create(ann, {})).open }
    },
  }
}
