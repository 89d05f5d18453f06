import { MayflyError, undefinedFor } from '#core/errors.ts'
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
import type { IsOurs } from '#core/mailbox/domain.ts'
import type { MessageSummary } from '#core/mailbox/message.ts'
import type { Metrics } from '#core/telemetry.ts'
import { type Clock, HOUR } from '#core/time.ts'
import type { Emails } from '#features/email/index.ts'
import type { Messages, OpenAddress } from '#features/mailbox/index.ts'
import { hashOf, newToken, randomId } from '#lib/token.ts'
import { emailAddress } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { destinationKey, openRouteIfIntact, sealRoute, shownDestination } from './forwarding-destination.ts'
import { type AskLimits, countRequest } from './forwarding-requests.ts'
import { endBehind } from './forwarding-stop.ts'

/**
 * Where forwarded messages go: to a relay, into the files of the outbox, or nowhere because the service or the address
 * does not forward.
 */
export type ForwardingTransport = 'relay' | 'outbox' | 'none'

/** Times are milliseconds since the epoch. */
export interface ForwardingView {
  id: ForwardingId
  destination: string
  state: ForwardingState
  end: ForwardingEnd | null
  createdAt: number
  /** When the forwarding ends. While it waits for consent: when the link expires. Null: as long as the subscription. */
  endsAt: number | null
}

export interface ForwardingsView {
  available: ForwardingTransport
  /** The maximum number of destinations of the address. */
  max: number
  /** For how many days a free address forwards. */
  days: number
  /** Oldest first. */
  forwardings: ForwardingView[]
}

interface ForwardingLogView {
  id: string
  /** Null if the forwarding is no longer in the list or its stored destination is damaged. */
  destination: string | null
  at: number
  /** Null while the job waits for `nextTryAt`. */
  outcome: ForwardingOutcome | null
  status: string | null
  nextTryAt: number | null
  /** Null if the message is no longer in the inbox. */
  message: Pick<MessageSummary, 'id' | 'from' | 'subject'> | null
}

export interface ForwardingLogPage {
  entries: ForwardingLogView[]
  next: string | null
}

/**
 * Forwarding from the point of view of an address's owner. Throws `forwarding_not_found` for an id that the address
 * does not have.
 */
export interface Forwardings {
  list(open: OpenAddress): Promise<ForwardingsView>
  /**
   * Asks a destination for its consent. Whether an email is sent depends on earlier requests to the destination and on
   * its responses, so the result does not reveal it. Throws `email_invalid`, `too_many_requests`,
   * `destination_invalid`, `forwarding_exists`, `forwardings_full` or `forwarding_unavailable`.
   */
  ask(open: OpenAddress, destination: string, language: string): Promise<ForwardingView>
  /** Pauses or resumes a forwarding. Throws `forwarding_not_found` if it waits for consent or has ended. */
  setPaused(open: OpenAddress, id: ForwardingId, paused: boolean): Promise<ForwardingView>
  /** Asks the destination of an ended forwarding again. Throws like `ask`. */
  restart(open: OpenAddress, id: ForwardingId): Promise<ForwardingView>
  /** Ends a forwarding. Removes one that has ended from the list, unless `remove` is false, so that a repetition is harmless. */
  end(open: OpenAddress, id: ForwardingId, remove?: boolean): Promise<void>
  /** Returns the log of forwarded messages, newest first. */
  log(open: OpenAddress, options: { before?: string | undefined }): Promise<ForwardingLogPage>
  /** Returns the overall state of an address's forwarding; without an address, that of a new one. */
  stateOf(open: OpenAddress | undefined): Promise<'none' | 'off' | 'waiting' | 'on'>
}

interface ForwardingsDeps {
  store: ForwardingStore
  jobs: Pick<ForwardingJobStore, 'log' | 'reserve' | 'freeAt'>
  messages: Pick<Messages, 'find'>
  emails: Pick<Emails, 'queue' | 'wake'>
  wrap: Wrap
  clock: Clock
  metrics: Metrics
  available: ForwardingTransport
  isOurs: IsOurs
  /** Returns the URL of the page behind a confirmation link. */
  confirmUrl: (language: string, token: string) => string
  destinationLimits: DestinationLimits
  limits: Pick<ForwardingLimits, 'asksPerDay' | 'rows'>
  /** Limits of the confirmation emails to one domain and in all. Default: no limits. */
  askLimits?: AskLimits
  days: number
  linkHours: number
  /** The number of entries on a page of the log. */
  pageSize: number
}

interface Listed {
  row: ForwardingRow
  standing: ForwardingStanding
}

export function createForwardings(deps: ForwardingsDeps): Forwardings {
  const { store, wrap, clock } = deps

  // The operator mailbox is never forwarded, and the server cannot read the messages of a fully private address.
  const transportOf = ({ row }: OpenAddress): ForwardingTransport =>
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

  /** A request that is rejected for another reason is not counted. */
  async function count(open: OpenAddress, destination: string, destinations: number): Promise<void> {
    if (!deps.askLimits) return
    const ongoing = (await listed(open)).filter(({ standing }) => standing.end === null)
    const key = destinationKey(wrap, destination)
    if (ongoing.length >= destinations || ongoing.some(({ row }) => row.destinationKey === key)) return
    await countRequest(deps, deps.askLimits, destination, clock())
  }

  async function ask(open: OpenAddress, destination: string, language: string): Promise<ForwardingView> {
    if (transportOf(open) === 'none') throw new MayflyError('forwarding_unavailable')
    // The destination must learn which address it agrees to.
    if (open.address === '') throw new MayflyError('address_invalid', 'The stored name of the address is damaged')
    if (await deps.isOurs(destination)) throw new MayflyError('destination_invalid')
    const now = clock()
    const destinations = destinationLimitOf(open.row.lifetime, deps.destinationLimits)
    await count(open, destination, destinations)
    const [token, id] = [newToken(), randomId()]
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
    const asked = { ...row, tokenHash: hashOf(token), secretId: open.row.secretId }
    const outcome = await store.ask(asked, { ...deps.limits, destinations }, now, email)
    if (outcome === 'full') throw new MayflyError('forwardings_full')
    if (outcome === 'there') throw new MayflyError('forwarding_exists')
    // Called even if no email was queued, so that both cases behave the same.
    deps.emails.wake()
    deps.metrics.count('forwarding_asks', { outcome })
    return viewOf({ row, standing: { state: 'waiting', end: null, endsAt: row.endsAt } })
  }

  async function messageOf(open: OpenAddress, id: MessageId): Promise<ForwardingLogView['message']> {
    const found = await deps.messages.find(open, id).catch(undefinedFor('message_not_found'))
    return found ? { id, from: found.from, subject: found.subject } : null
  }

  return {
    async list(open) {
      const forwardings = (await listed(open)).map(viewOf)
      return {
        available: transportOf(open),
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
      const canChange = standing.state === 'on' || standing.state === 'paused'
      if (!canChange || (standing.state !== state && !(await store.pause(id, paused))))
        throw new MayflyError('forwarding_not_found')
      return viewOf({ row, standing: { ...standing, state } })
    },

    async restart(open, id) {
      const { row } = await find(open, id)
      const route = openRouteIfIntact(wrap, row)
      if (!route) throw new MayflyError('destination_invalid', 'The stored destination is damaged')
      return ask(open, route.destination, row.language)
    },

    async end(open, id, remove = true) {
      const { standing } = await find(open, id)
      await endBehind(deps, open.row, id)
      // Stores an end that so far only followed from the time, because only an ended row can be removed.
      await store.end(id, standing.end ?? 'stopped', clock())
      if (standing.end !== null && remove) await store.remove(id)
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

    async stateOf(open) {
      if (!open) return deps.available === 'none' ? 'none' : 'off'
      if (transportOf(open) === 'none') return 'none'
      const states = new Set((await listed(open)).map(({ standing }) => standing.state))
      if (states.has('on')) return 'on'
      return states.has('waiting') ? 'waiting' : 'off'
    },
  }
}
