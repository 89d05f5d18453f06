import { type DestinationLimits, standingsOf } from '#core/forwarding/forwarding-rules.ts'
import type { ConsentAct, DestinationKey, ForwardingRow, ForwardingStore } from '#core/forwarding/forwarding.ts'
import type { AddressRow, AddressStore } from '#core/mailbox/address.ts'
import type { Lifetimes } from '#core/mailbox/lifetime.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, DAY } from '#core/time.ts'
import type { Emails } from '#features/email/index.ts'
import { hashOf } from '#lib/token.ts'
import type { ForwardingMarks } from '#mail/forwarding/mark.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { type ForwardingRoute, openRouteIfIntact } from './forwarding-destination.ts'
import { endBehind } from './forwarding-stop.ts'

/** The link in a confirmation email (`confirm`) or in a forwarded message (`stop`). Its token is the credential. */
export type ConsentLink = { kind: 'confirm' | 'stop'; token: string }

interface ConsentView {
  /** `over` if the link is invalid, used or expired. */
  link: 'confirm' | 'stop' | 'over'
  /** Whether the forwarding still waits or runs. Otherwise the only possible act is `never`. */
  live: boolean
  /** Null if the forwarding is gone from the store, or if its route is damaged. */
  route: ForwardingRoute | null
  /**
   * When the forwarding ends, in milliseconds since the epoch. Null if it lasts as long as a subscription, or if its
   * end is only known after the confirmation.
   */
  until: number | null
  /**
   * For how many days it would run after the confirmation. Null if it lasts as long as a subscription or until `until`.
   */
  days: number | null
}

/** Forwarding from the point of view of the destination. */
export interface ForwardingConsent {
  /** Returns what the link is about. Changes nothing, because mail scanners follow links. */
  view(link: ConsentLink): Promise<ConsentView>
  /**
   * Applies an act. `confirm` starts the forwarding. `decline` and `stop` end it. `never` ends all forwarding to the
   * destination and refuses all future requests. Returns the token of a stop link, with which the reader can act again.
   * Returns undefined if the link is over or does not allow the act.
   */
  act(link: ConsentLink, act: ConsentAct): Promise<string | undefined>
}

interface ForwardingConsentDeps {
  store: ForwardingStore
  addresses: Pick<AddressStore, 'find'>
  emails: Pick<Emails, 'queue' | 'add'>
  marks: Pick<ForwardingMarks, 'stopToken' | 'readStopToken'>
  wrap: Wrap
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** Returns the URL of the page that ends a forwarding. */
  stopUrl: (language: string, token: string) => string
  destinationLimits: DestinationLimits
  lifetimes: Pick<Lifetimes, 'quarantine'>
  days: number
}

/** What a link refers to. `row` and `address` are undefined when they are gone from the store. */
interface Found {
  destinationKey: DestinationKey
  row: ForwardingRow | undefined
  address: AddressRow | undefined
}

const LINK_OVER: ConsentView = { link: 'over', live: false, route: null, until: null, days: null }

export function createForwardingConsent(deps: ForwardingConsentDeps): ForwardingConsent {
  const { store, marks, wrap, clock } = deps

  const addressOf = (row: ForwardingRow | undefined): Promise<AddressRow | undefined> =>
    row ? deps.addresses.find(row.addressId, clock()) : Promise.resolve(undefined)

  async function find({ kind, token }: ConsentLink): Promise<Found | undefined> {
    if (kind === 'confirm') {
      const row = await store.findByToken(hashOf(token), clock())
      const address = await addressOf(row)
      return row && address && { destinationKey: row.destinationKey, row, address }
    }
    const stop = marks.readStopToken(token)
    if (!stop) return undefined
    const { destinationKey, isOf } = stop
    // An ended forwarding stays in the list until the owner starts it again. The new one then replaces it.
    const row = (await store.ofDestination(destinationKey)).find(isOf)
    return { destinationKey, row, address: await addressOf(row) }
  }

  /** Returns when an ongoing forwarding ends, or undefined if the forwarding has ended. */
  async function standingOf({ row, address }: Found): Promise<{ until: number | null } | undefined> {
    if (!row || !address) return undefined
    const rows = await store.list(address.id)
    const standings = standingsOf(rows, address, deps.destinationLimits, clock())
    const { end, endsAt } = standings[rows.findIndex(({ id }) => id === row.id)] ?? { end: 'stopped', endsAt: null }
    return end === null ? { until: endsAt } : undefined
  }

  async function confirm(tokenHash: string, { row, address }: Found): Promise<boolean> {
    const route = row && openRouteIfIntact(wrap, row)
    if (!route || !address) return false
    const now = clock()
    const endsAt = now + deps.days * DAY
    const terms = { endsAt, addressEndsAt: endsAt, addressHeldUntil: endsAt + deps.lifetimes.quarantine }
    if (!(await store.confirm(tokenHash, terms, now))) return false
    const { lifetime, expiresAt } = address
    const boundedEnd = lifetime === 'ten-minutes' ? Math.min(endsAt, expiresAt) : endsAt
    const until = lifetime === 'subscription' ? null : boundedEnd
    const url = deps.stopUrl(row.language, marks.stopToken(row))
    const email = deps.emails.queue(route.destination, row.language, {
      kind: 'forwarding-on',
      url,
      until,
    })
    // The consent is valid without this email, and every forwarded message has the link.
    await deps.emails.add(email).catch((error: unknown) => deps.logger.error({ err: error }, 'email not queued'))
    return true
  }

  async function perform({ kind, token }: ConsentLink, found: Found, act: ConsentAct): Promise<boolean> {
    if (act === 'never') {
      for (const row of await store.ofDestination(found.destinationKey)) {
        const address = await addressOf(row)
        if (address) await endBehind(deps, address, row.id)
      }
      await store.refuse(found.destinationKey, clock())
      return true
    }
    if ((kind === 'stop') !== (act === 'stop')) return false
    if (act === 'confirm') return confirm(hashOf(token), found)
    // Ending it twice is not an error: the reader and the reader's mail program may both follow the link.
    if (found.row) {
      if (found.address) await endBehind(deps, found.address, found.row.id)
      await store.end(found.row.id, 'declined', clock())
    }
    return true
  }

  return {
    async view(link) {
      const found = await find(link)
      if (!found) return LINK_OVER
      const now = await standingOf(found)
      const { row, address } = found
      const unbounded = address?.lifetime === 'subscription'
      const isConfirmLink = link.kind === 'confirm'
      const isTenMinutes = address?.lifetime === 'ten-minutes'
      return {
        link: link.kind,
        live: now !== undefined,
        route: (row && openRouteIfIntact(wrap, row)) ?? null,
        until: isConfirmLink ? (isTenMinutes ? address.expiresAt : null) : (now?.until ?? null),
        days: isConfirmLink && !unbounded && !isTenMinutes ? deps.days : null,
      }
    },

    async act(link, act) {
      const found = await find(link)
      if (!found || !(await perform(link, found, act))) return undefined
      deps.metrics.count('forwarding_answers', { act })
      return link.kind === 'stop' ? link.token : found.row && marks.stopToken(found.row)
    },
  }
}
