import { type DestinationLimits, standingsOf } from '#core/forwarding/forwarding-rules.ts'
import type { DestinationKey, ForwardingRow, ForwardingStore } from '#core/forwarding/forwarding.ts'
import type { AddressRow, AddressStore } from '#core/mailbox/address.ts'
import type { Lifetimes } from '#core/mailbox/lifetime.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, DAY } from '#core/time.ts'
import type { Emails } from '#features/email/index.ts'
import { hashOf } from '#lib/token.ts'
import type { Marks } from '#mail/forwarding/mark.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { type ForwardingRoute, openRouteIfIntact } from './forwarding-destination.ts'

/** The link of a confirmation mail, or that of a mail that was forwarded; its token is the credential. */
export type ConsentLink = { kind: 'confirm' | 'stop'; token: string }

export interface ConsentView {
  /** `over` where the link works no more, or never did. */
  link: 'confirm' | 'stop' | 'over'
  /** Whether there still is what the link asks about; where not, only "never" is left to say. */
  live: boolean
  /** Null where that is forgotten, or damaged. */
  route: ForwardingRoute | null
  /** Milliseconds since the epoch. Null where it isn't known before the click, or it goes on as long as a subscription. */
  until: number | null
  /** How long it would go on after the click; null: as long as a subscription, or until `until`. */
  days: number | null
}

export const CONSENT_ACTS = ['confirm', 'decline', 'never', 'stop'] as const
/** `decline` is for the link of a confirmation mail, `stop` for that of a forwarded one, `never` for both. */
export type ConsentAct = (typeof CONSENT_ACTS)[number]

/** Forwarding as the destination has it. */
export interface ForwardingConsent {
  /** Changes nothing: programs that look through mail follow links. */
  look(link: ConsentLink): Promise<ConsentView>
  /**
   * `confirm`: mail goes there from now on; `decline`, `stop`: this one ends; `never`: nobody's mail ever goes there. Answers
   * the token of the stop link, behind which it can be said again. Undefined where the link is over, or isn't for that act.
   */
  act(link: ConsentLink, act: ConsentAct): Promise<string | undefined>
}

export interface ForwardingConsentDeps {
  store: ForwardingStore
  addresses: Pick<AddressStore, 'find'>
  emails: Pick<Emails, 'queue' | 'add'>
  marks: Pick<Marks, 'stopToken' | 'readStopToken'>
  wrap: Wrap
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** The page behind a stop link. */
  stopUrl: (language: string, token: string) => string
  destinationLimits: DestinationLimits
  lifetimes: Pick<Lifetimes, 'quarantine'>
  days: number
}

/** What a link leads to. The row and its address are there as long as there is something to decide. */
interface Found {
  destinationKey: DestinationKey
  row: ForwardingRow | undefined
  address: AddressRow | undefined
}

const OVER: ConsentView = { link: 'over', live: false, route: null, until: null, days: null }

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
    const named = marks.readStopToken(token)
    if (!named) return undefined
    const { destinationKey, isOf } = named
    // What ended stays listed until it is begun again, and then it makes room.
    const row = (await store.ofDestination(destinationKey)).find(isOf)
    return { destinationKey, row, address: await addressOf(row) }
  }

  /** Until when the link may ask about it; undefined where it asks about nothing any more. */
  async function standing({ row, address }: Found): Promise<{ until: number | null } | undefined> {
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
    const bounded = lifetime === 'ten-minutes' ? Math.min(endsAt, expiresAt) : endsAt
    const until = lifetime === 'subscription' ? null : bounded
    const url = deps.stopUrl(row.language, marks.stopToken(row))
    const email = deps.emails.queue(route.destination, row.language, {
      kind: 'forwarding-on',
      url,
      until,
    })
    // What was agreed to holds without it, and each forwarded mail has the link.
    await deps.emails.add(email).catch((error: unknown) => deps.logger.error({ err: error }, 'email not kept'))
    return true
  }

  async function perform({ kind, token }: ConsentLink, found: Found, act: ConsentAct): Promise<boolean> {
    if (act === 'never') {
      await store.refuse(found.destinationKey, clock())
      return true
    }
    if ((kind === 'stop') !== (act === 'stop')) return false
    if (act === 'confirm') return confirm(hashOf(token), found)
    // A mail may be called off twice, by its reader and by the reader's program.
    if (found.row) await store.end(found.row.id, 'declined', clock())
    return true
  }

  return {
    async look(link) {
      const found = await find(link)
      if (!found) return OVER
      const now = await standing(found)
      const { row, address } = found
      const unbounded = address?.lifetime === 'subscription'
      const asks = link.kind === 'confirm'
      const bounded = address?.lifetime === 'ten-minutes'
      return {
        link: link.kind,
        live: now !== undefined,
        route: (row && openRouteIfIntact(wrap, row)) ?? null,
        until: asks ? (bounded ? address.expiresAt : null) : (now?.until ?? null),
        days: asks && !unbounded && !bounded ? deps.days : null,
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
