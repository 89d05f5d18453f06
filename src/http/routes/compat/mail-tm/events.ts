import { topicQuery, type TopicQuery } from '#contract/compat/mail-tm.ts'
import { MayflyError } from '#core/errors.ts'
import type { MessageSummary } from '#core/mailbox/message.ts'
import type { AddressView } from '#features/mailbox/index.ts'
import type { RequestAddress } from '../../../auth/auth.ts'
import type { RouteContext, Routes } from '../../../context.ts'
import { type FollowedInbox, followInbox, lastSeen } from '../../../streams/inbox-stream.ts'
import { answerStream, type GuardedStream } from '../../../streams/stream.ts'
import { NEWEST_MAX } from '../shared.ts'
import { accountResource, deletedMessage, messageResource } from './json.ts'
import { linkedData } from './resource.ts'
import { accountOpener } from './session.ts'

/**
 * The inbox as unnamed events with JSON-LD. Clients treat each unread message as a new one. So a message is sent again
 * only if its mark changes, and not when its sender was checked. `isNew`: whether the client has seen nothing yet.
 */
async function inboxOf(
  { open }: RequestAddress,
  { deps: { addresses, messages } }: RouteContext,
  isNew: boolean,
): Promise<FollowedInbox> {
  const { id: accountId, revision } = open.row
  const known = isNew ? await messages.newest(open, NEWEST_MAX) : []
  const marks = new Map(known.filter((each) => each.revision <= revision).map(({ id, seen }) => [id, seen]))

  return {
    revision,
    watch: (wake) => messages.watch(open, wake),
    version: () => addresses.version(open),
    async changes(since) {
      const { messages: changed, deleted, address } = await messages.changes(open, since)
      return (
        address && {
          messages: changed.map(({ revision: at, summary }) => ({ revision: at, data: summary })),
          deleted,
          address,
        }
      )
    },
    shape(event, data) {
      if (event === 'address') return { data: linkedData(accountResource(open, data as AddressView)) }
      const { id, seen } = data as Pick<MessageSummary, 'id' | 'seen'>
      if (event === 'deleted') return { data: linkedData(deletedMessage(accountId, id)) }
      if (marks.get(id) === seen) return undefined
      marks.set(id, seen)
      return { data: linkedData(messageResource(accountId, data as MessageSummary)) }
    },
  }
}

/** A hub like that of Mercure (https://mercure.rocks/spec), with the events of one account. */
export const eventRoutes: Routes = (app, context: RouteContext) => {
  const { deps, options } = context
  const openAccount = accountOpener(context)

  app.get<{ Querystring: TopicQuery }>(
    '/.well-known/mercure',
    { schema: { hide: true, querystring: topicQuery } },
    async (request, reply) => {
      const since = lastSeen(request)
      const opened = await openAccount(request).catch((error: unknown) => {
        // EventSource reconnects forever, except after a 204.
        if (since !== undefined && error instanceof MayflyError && error.code === 'unauthorized') return undefined
        throw error
      })
      if (!opened) return reply.status(204).send()
      if (!request.query.topic.includes(`/accounts/${opened.open.row.id}`))
        throw new MayflyError('unauthorized', 'The topic is not that of the account')
      const inbox = await inboxOf(opened, context, since === undefined)
      const follow = async (stream: GuardedStream): Promise<void> => {
        const visits = setInterval(
          () => void deps.addresses.open(opened.secret).catch(() => {}),
          options.streamVisitInterval,
        )
        await followInbox(stream, inbox, since, context).finally(() => clearInterval(visits))
      }
      await answerStream(context, request, reply, opened, follow, { saysEnd: false })
    },
  )
}
