import { MayflyError } from '#core/errors.ts'
import {
  type DestinationLimits,
  type ForwardingStanding,
  destinationLimitOf,
  standingsOf,
} from '#core/forwarding/forwarding-rules.ts'
import type {
  ForwardingEnd,
  ForwardingId,
  ForwardingJobStore,
  ForwardingLimits,
  ForwardingLogRow,
  ForwardingOutcome,
  ForwardingRow,
  ForwardingState,
  ForwardingStore,
} from '#core/forwarding/forwarding.ts'
import type { MessageId } from '#core/ids.ts'
import type { MessageSummary } from '#core/mailbox/message.ts'
import type { Metrics } from '#core/telemetry.ts'
import { type Clock, HOUR } from '#core/time.ts'
import type { Emails } from '#features/email/index.ts'
import type { Messages, OpenAddress } from '#features/mailbox/index.ts'
import { hashOf, newToken, randomId } from '#lib/token.ts'
import { domainOf, emailAddress } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import {
  destinationKey,
  type IsOurs,
  openRouteIfIntact,
  questionsTo,
  sealRoute,
  shownDestination,
} from './forwarding-destination.ts'

/** Where forwarded mail goes: through a relay, into files, or nowhere, for this service or this address does not forward. */
export type ForwardingWay = 'relay' | 'outbox' | 'none'

/** Times are milliseconds since the epoch. */
export interface ForwardingView {
  id: ForwardingId
  destination: string
  state: ForwardingState
  end: ForwardingEnd | null
  createdAt: number
  /** Of one that waits: when its link ends. Null: as long as the subscription. */
  endsAt: number | null
}

export interface ForwardingsView {
  available: ForwardingWay
  /** Destinations that the address may have. */
  max: number
  /** How long a free address forwards. */
  days: number
  /** Oldest first. */
  forwardings: ForwardingView[]
}

export interface ForwardingLogView {
  id: string
  /** Null where it is not in the list any more. */
  destination: string | null
  at: number
  /** Null: it waits, until `nextTryAt`. */
  outcome: ForwardingOutcome | null
  status: string | null
  nextTryAt: number | null
  /** Null where it is not in the inbox any more. */
  message: Pick<MessageSummary, 'id' | 'from' | 'subject'> | null
}

export interface ForwardingLogPage {
  entries: ForwardingLogView[]
  next: string | null
}

/** Forwarding as the owner of an address has it. An id that is not in its list throws `forwarding_not_found`. */
export interface Forwardings {
  list(open: OpenAddress): Promise<ForwardingsView>
  /**
   * Asks a real address whether it agrees. Whether a mail goes out depends on what others asked it and on what it said to
   * them, so nothing that is answered tells. Throws `email_invalid`, `too_many_requests`, `destination_invalid`, `forwarding_exists`,
   * `forwardings_full`, `forwarding_unavailable`.
   */
  ask(open: OpenAddress, destination: string, language: string): Promise<ForwardingView>
  /** Throws `forwarding_not_found` for one that waits or has ended, too. */
  setPaused(open: OpenAddress, id: ForwardingId, paused: boolean): Promise<ForwardingView>
  /** Asks the destination of one that has ended anew. Throws as `ask`. */
  restart(open: OpenAddress, id: ForwardingId): Promise<ForwardingView>
  /** Ends it; one that has ended leaves the list. */
  end(open: OpenAddress, id: ForwardingId): Promise<void>
  /** What was forwarded, newest first. */
  log(open: OpenAddress, options: { before?: string | undefined }): Promise<ForwardingLogPage>
  /** Whether it can be had, and what there is of it, in a word; without an address: whether a new one could have it. */
  glance(open: OpenAddress | undefined): Promise<'none' | 'off' | 'waiting' | 'on'>
}

export interface ForwardingsDeps {
  store: ForwardingStore
  jobs: Pick<ForwardingJobStore, 'log' | 'reserve'>
  messages: Pick<Messages, 'find'>
  emails: Pick<Emails, 'queue' | 'wake'>
  wrap: Wrap
  clock: Clock
  metrics: Metrics
  available: ForwardingWay
  isOurs: IsOurs
  /** The page behind a confirmation link. */
  confirmUrl: (language: string, token: string) => string
  destinationLimits: DestinationLimits
  limits: Pick<ForwardingLimits, 'asksPerDay' | 'rows'>
  /** Destinations that are asked under one domain, and in all; without it as many as are named. */
  askLimits?: Record<'domain' | 'all', AskLimit>
  days: number
  linkHours: number
  /** Entries on a page of the log. */
  pageSize: number
}

export interface AskLimit {
  perHour: number
  perDay: number
}

interface Listed {
  row: ForwardingRow
  standing: ForwardingStanding
}

export function createForwardings(deps: ForwardingsDeps): Forwardings {
  const { store, wrap, clock } = deps

  // Nobody but the operator reads mail for the operator, and mail of a fully private address can't be read here.
  const wayOf = ({ row }: OpenAddress): ForwardingWay =>
    row.lifetime === 'operator' || row.private ? 'none' : deps.available

  async function listed({ row }: OpenAddress): Promise<Listed[]> {
    const rows = await store.list(row.id)
    const standings = standingsOf(rows, row, deps.destinationLimits, clock())
    return rows.flatMap((each, i) => {
      const standing = standings[i]
      return standing ? [{ row: each, standing }] : []
    })
  }

  async function find(open: OpenAddress, id: ForwardingId): Promise<Listed> {
    const found = (await listed(open)).find(({ row }) => row.id === id)
    if (!found) throw new MayflyError('forwarding_not_found')
    return found
  }

  const viewOf = ({ row, standing }: Listed): ForwardingView => ({
    id: row.id,
    destination: shownDestination(wrap, row),
    createdAt: row.createdAt,
    ...standing,
  })

  /**
   * Takes places among the questions of this hour and day, so that the service can't be made to write to all of a domain. What
   * is refused anyway takes none; whether a mail really goes out must not be told, so it doesn't count.
   */
  async function refuseTooMany(open: OpenAddress, destination: string, destinations: number): Promise<void> {
    if (!deps.askLimits) return
    const living = (await listed(open)).filter(({ standing }) => standing.end === null)
    const key = destinationKey(wrap, destination)
    if (living.length >= destinations || living.some(({ row }) => row.destinationKey === key)) return
    const { domain, all } = deps.askLimits
    const now = clock()
    const may =
      (await deps.jobs.reserve(questionsTo(wrap, domainOf(destination)), now, domain)) &&
      (await deps.jobs.reserve(questionsTo(wrap, ''), now, all))
    if (!may) throw new MayflyError('too_many_requests', 'Too many destinations were asked; try again in an hour')
  }

  async function ask(open: OpenAddress, destination: string, language: string): Promise<ForwardingView> {
    if (wayOf(open) === 'none') throw new MayflyError('forwarding_unavailable')
    // The destination must learn which address it agrees to.
    if (open.address === '') throw new MayflyError('address_invalid', 'The stored name of the address is damaged')
    if (await deps.isOurs(destination)) throw new MayflyError('destination_invalid')
    const now = clock()
    const destinations = destinationLimitOf(open.row.lifetime, deps.destinationLimits)
    await refuseTooMany(open, destination, destinations)
    const token = newToken()
    const id = randomId()
    const row: ForwardingRow = {
      id,
      addressId: open.row.id,
      destinationKey: destinationKey(wrap, destination),
      sealedDestination: sealRoute(wrap, id, { address: open.address, destination }),
      language,
      state: 'waiting',
      end: null,
      createdAt: now,
      confirmedAt: null,
      endsAt: now + deps.linkHours * HOUR,
      bounces: 0,
    }
    const url = deps.confirmUrl(language, token)
    const email = deps.emails.queue(destination, language, { kind: 'forwarding-confirm', url, hours: deps.linkHours })
    const asked = await store.ask({ ...row, tokenHash: hashOf(token) }, { ...deps.limits, destinations }, now, email)
    if (asked === 'full') throw new MayflyError('forwardings_full')
    if (asked === 'there') throw new MayflyError('forwarding_exists')
    // Also where there is none, so that all goes the same way.
    deps.emails.wake()
    deps.metrics.count('forwarding_asks', { outcome: asked })
    return viewOf({ row, standing: { state: 'waiting', end: null, endsAt: row.endsAt } })
  }

  async function messageOf(open: OpenAddress, id: MessageId): Promise<ForwardingLogView['message']> {
    try {
      const { from, subject } = await deps.messages.find(open, id)
      return { id, from, subject }
    } catch (error) {
      if (error instanceof MayflyError && error.code === 'message_not_found') return null
      throw error
    }
  }

  return {
    async list(open) {
      const forwardings = (await listed(open)).map(viewOf)
      return {
        available: wayOf(open),
        max: destinationLimitOf(open.row.lifetime, deps.destinationLimits),
        days: deps.days,
        forwardings,
      }
    },

    async ask(open, input, language) {
      const destination = emailAddress(input)
      if (destination === undefined) throw new MayflyError('email_invalid')
      return ask(open, destination, language)
    },

    async setPaused(open, id, paused) {
      const { row, standing } = await find(open, id)
      const state = paused ? 'paused' : 'on'
      const can = standing.state === 'on' || standing.state === 'paused'
      if (!can || (standing.state !== state && !(await store.pause(id, paused))))
        throw new MayflyError('forwarding_not_found')
      return viewOf({ row, standing: { ...standing, state } })
    },

    async restart(open, id) {
      const { row } = await find(open, id)
      const route = openRouteIfIntact(wrap, row)
      if (!route) throw new MayflyError('destination_invalid', 'The stored destination is damaged')
      return ask(open, route.destination, row.language)
    },

    async end(open, id) {
      const { standing } = await find(open, id)
      // What follows from the clock is written down by this, for only what has ended can be removed.
      await store.end(id, standing.end ?? 'stopped', clock())
      if (standing.end !== null) await store.remove(id)
    },

    async log(open, { before }) {
      const rows = await deps.jobs.log(open.row.id, { limit: deps.pageSize + 1, before })
      const page = rows.slice(0, deps.pageSize)
      const routes = new Map(
        (await store.list(open.row.id)).map((row) => [row.destinationKey, shownDestination(wrap, row)]),
      )
      const ids = [...new Set(page.map(({ messageId }) => messageId))]
      const messages = new Map(await Promise.all(ids.map(async (id) => [id, await messageOf(open, id)] as const)))
      return {
        entries: page.map((row: ForwardingLogRow) => ({
          id: row.id,
          destination: routes.get(row.destinationKey) || null,
          at: row.finishedAt ?? row.createdAt,
          outcome: row.outcome,
          status: row.status,
          nextTryAt: row.dueAt,
          message: messages.get(row.messageId) ?? null,
        })),
        next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
      }
    },

    async glance(open) {
      if (!open) return deps.available === 'none' ? 'none' : 'off'
      if (wayOf(open) === 'none') return 'none'
      const states = new Set((await listed(open)).map(({ standing }) => standing.state))
      if (states.has('on')) return 'on'
      return states.has('waiting') ? 'waiting' : 'off'
    },
  }
}
