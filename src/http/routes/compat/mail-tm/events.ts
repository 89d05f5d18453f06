import { topicQuery, type TopicQuery } from '#contract/compat/mail-tm.ts'
import { hasCode, MayflyError } from '#core/errors.ts'
import type { MessageSummary } from '#core/mailbox/message.ts'
import type { AddressView } from '#features/mailbox/index.ts'
import type { RequestAddress } from '../../../auth/auth.ts'
import type { RouteContext, Routes } from '../../../context.ts'
import { answerInbox, type FollowedInbox, lastNote, lastSeen } from '../../../streams/inbox-stream.ts'
import { NEWEST_MAX } from '../shared.ts'
import { accountResource, deletedMessage, messageResource } from './json.ts'
import { linkedData } from './resource.ts'
import { accountOpener } from './session.ts'

interface LastEvent {
  since: number | undefined
  note: string | undefined
}

/**
 * The inbox as unnamed events with JSON-LD. Clients treat each unread message as a new one, so a message is sent again
 * only if its mark changes, and not when its sender was checked. Each event carries a `note`: the newest message up to
 * which the client is known to have all. After a reconnect, unread messages up to `note` count as known. `last`: the last
 * event that the client has seen.
 */
async function inboxOf(
  { secret, open }: RequestAddress,
  { deps: { addresses, messages } }: RouteContext,
  last: LastEvent,
): Promise<FollowedInbox> {
  const { id: accountId, revision } = open.row
  const isNew = last.since === undefined || last.since > revision
  const since = isNew ? revision : (last.since ?? revision)
  const listed = (await messages.newest(open, NEWEST_MAX)).map((each) => ({ ...each, digits: digitsOf(each.id) }))
  let note = (isNew ? listed.find((each) => each.revision <= since)?.digits : noteOf(last)) ?? ''
  const known = listed.filter((each) => each.revision <= since || each.digits <= note)
  const marks = new Map(known.map((each) => [each.id, each.revision <= since && each.seen]))
  /** The note after all changes that were read, and the id of the last changed message. */
  let next = { note, after: '' }

  return {
    revision,
    visit: () => addresses.open(secret),
    watch: (wake) => messages.watch(open, wake),
    version: () => addresses.version(open),
    async changes(from) {
      const { messages: changed, deleted, address } = await messages.changes(open, from)
      const final = [...changed.map((each) => ({ ...each, id: each.summary.id })), ...deleted]
        .toSorted((a, b) => a.revision - b.revision)
        .at(-1)
      const notes = changed.map(({ summary }) => digitsOf(summary.id))
      next = { note: [note, ...notes].toSorted().at(-1) ?? '', after: final?.id ?? '' }
      return (
        address && {
          messages: changed.map(({ revision: at, summary }) => ({ revision: at, data: summary })),
          deleted,
          address,
        }
      )
    },
    shape(event, data) {
      const { id, seen } = data as Pick<MessageSummary, 'id' | 'seen'>
      // Not before, because a client that is disconnected in between does not know all of these messages.
      if (event === 'address' || id === next.after) ({ note } = next)
      if (event === 'address') return { data: linkedData(accountResource(open, data as AddressView)), note }
      if (event === 'deleted') return { data: linkedData(deletedMessage(accountId, id)), note }
      if (marks.get(id) === seen) return undefined
      marks.set(id, seen)
      return { data: linkedData(messageResource(accountId, data as MessageSummary)), note }
    },
  }
}

/** The id of a message in digits that sort like it. */
const digitsOf = (id: string): string =>
  Array.from(id, (each) => String(Number.parseInt(each, 36)).padStart(2, '0')).join('')

const DIGITS = digitsOf('0'.repeat(26)).length
/** Undefined unless the note has all its digits. With one that a client has rounded, messages could be missed. */
const noteOf = ({ note }: LastEvent): string | undefined => (note?.length === DIGITS ? note : undefined)

/** A hub like that of Mercure (https://mercure.rocks/spec), with the events of one account. */
export const eventRoutes: Routes = (app, context: RouteContext) => {
  const openAccount = accountOpener(context)

  app.get<{ Querystring: TopicQuery }>(
    '/.well-known/mercure',
    { schema: { hide: true, querystring: topicQuery } },
    async (request, reply) => {
      const since = lastSeen(request)
      const opened = await openAccount(request).catch((error: unknown) => {
        // EventSource reconnects forever, except after a 204.
        if (since !== undefined && hasCode(error, 'unauthorized')) return undefined
        throw error
      })
      if (!opened) return reply.status(204).send()
      if (!request.query.topic.includes(`/accounts/${opened.open.row.id}`))
        throw new MayflyError('unauthorized', 'The topic is not that of the account')
      const inbox = await inboxOf(opened, context, { since, note: lastNote(request) })
      await answerInbox(context, request, reply, opened, inbox, { saysEnd: false })
    },
  )
}
