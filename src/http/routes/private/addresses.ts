import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { keptAddress } from '#contract/kept-addresses.ts'
import { messageChange, messageIds, streamQuery } from '#contract/messages.ts'
import {
  privateAddressId,
  privateAddressRequest,
  type PrivateAddressRequestJson,
  proxiedUrls,
  remoteUrls,
  sealedMessageId,
  sealedMessageList,
  sealedMessageQuery,
} from '#contract/private-addresses.ts'
import type { PrivateAddress } from '#features/private/index.ts'
import { countsAsVisit, signedInGrant } from '../../auth/auth.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { keptJson } from '../../json/account.ts'
import { sealedJson, sealedListJson } from '../../json/private.ts'
import { takeOrThrow } from '../../limits/limits.ts'
import { once } from '../../repeated.ts'
import { answer, BODY_PROBLEMS, json, nothing, problems, ref } from '../../schema.ts'
import { answerInbox, type FollowedInbox } from '../../streams/inbox-stream.ts'
import { OCTETS, type OfAddress, type OfMessage, summaryRoute } from './summary.ts'

const tags = ['Account of the site']

function inboxOf(
  address: PrivateAddress,
  request: FastifyRequest,
  { account, deps: { privateDeliveries, privateMessages } }: RouteContext,
): Omit<FollowedInbox, 'visit'> {
  return {
    revision: address.revision,
    watch: (wake) => privateMessages.watch(address, wake),
    watchDeliveries: (wake) => privateDeliveries.watch(address, wake),
    async changes(since) {
      if (!(await account.find(request))) return undefined
      const { messages, deleted, address: view } = await privateMessages.changes(address, since)
      if (!view) return undefined
      const news = messages.map(({ revision, message }) => ({ revision, data: sealedJson(message) }))
      return { messages: news, deleted, address: keptJson(view) }
    },
  }
}

/**
 * Fully private addresses: messages go to the owner's browser sealed, as they are in the store, and are opened there.
 */
export const privateAddressRoutes: Routes = (app, context) => {
  const { account, deps, options, rates } = context
  const { privateAddresses, privateMessages } = deps
  const open = async (request: FastifyRequest<OfAddress>): Promise<PrivateAddress> =>
    privateAddresses.open((await account.session(request)).subscription, request.params.id, countsAsVisit(request))

  app.post<{ Body: PrivateAddressRequestJson }>(
    '/account/private-addresses',
    {
      schema: {
        tags,
        operationId: 'createPrivateAddress',
        summary: 'Create a fully private address',
        description:
          'Only the browser can read its messages: it creates the secret, keeps it, and sends only what is derived from it. ' +
          'If the response is lost, repeat the request: it returns the address of these keys.',
        body: ref(privateAddressRequest),
        response: {
          201: json(keptAddress, 'The address'),
          ...problems(
            'not_signed_in',
            'premium_required',
            'forbidden_origin',
            'address_invalid',
            'address_taken',
            'addresses_full',
            'label_invalid',
            'login_invalid',
            'login_reserved',
            'domain_unknown',
            ...BODY_PROBLEMS,
          ),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      const created = await once(
        () => privateAddresses.created(subscription, request.body),
        () => {
          takeOrThrow(rates.creations, request, reply)
          return privateAddresses.create(subscription, request.body)
        },
      )
      return reply.status(201).send(keptJson(created))
    },
  )

  app.get<OfAddress & { Querystring: Static<typeof sealedMessageQuery> }>(
    '/account/private/:id/messages',
    {
      schema: {
        tags,
        operationId: 'listSealedMessages',
        summary: 'List the sealed messages of a private address',
        description: 'Returns the messages as they are stored. Only the browser with the key can open them.',
        params: privateAddressId,
        querystring: sealedMessageQuery,
        response: { 200: json(sealedMessageList, 'A page of the inbox'), ...problems('not_signed_in', 'not_found') },
      },
    },
    async (request) => sealedListJson(await privateMessages.list(await open(request), request.query.before)),
  )

  app.get<OfMessage>(
    '/account/private/:id/messages/:message/body',
    {
      schema: {
        tags,
        operationId: 'getSealedBody',
        summary: 'Get a sealed message',
        description: 'Returns the message as it is stored. Only the browser with the key can open it.',
        params: sealedMessageId,
        response: {
          200: answer(OCTETS, 'The envelope and the message, sealed to the public key'),
          ...problems('not_signed_in', 'not_found', 'message_not_found', 'message_damaged'),
        },
      },
    },
    async (request, reply) => sendBox(reply, await privateMessages.body(await open(request), request.params.message)),
  )

  app.patch<OfMessage & { Body: Static<typeof messageChange> }>(
    '/account/private/:id/messages/:message',
    {
      schema: {
        tags,
        operationId: 'markSealedMessage',
        summary: 'Mark a sealed message',
        description: 'Marks the message as read or unread.',
        params: sealedMessageId,
        body: messageChange,
        response: {
          204: nothing('The message is marked'),
          ...problems('not_signed_in', 'forbidden_origin', 'not_found', 'message_not_found', ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      await privateMessages.mark(await open(request), request.params.message, request.body)
      return reply.status(204).send()
    },
  )

  app.delete<OfMessage>(
    '/account/private/:id/messages/:message',
    {
      schema: {
        tags,
        operationId: 'deleteSealedMessage',
        summary: 'Delete a sealed message',
        description: 'Deletes the message immediately. It cannot be restored.',
        params: sealedMessageId,
        response: {
          204: nothing('The message is deleted'),
          ...problems('not_signed_in', 'forbidden_origin', 'not_found', 'message_not_found'),
        },
      },
    },
    async (request, reply) => {
      await privateMessages.remove(await open(request), request.params.message)
      return reply.status(204).send()
    },
  )

  app.post<OfAddress & { Body: Static<typeof messageIds> }>(
    '/account/private/:id/messages/delete',
    {
      schema: {
        tags,
        operationId: 'deleteSealedMessages',
        summary: 'Delete several messages',
        description: 'Deletes up to 100 messages. Ids of messages that are gone are ignored.',
        params: privateAddressId,
        body: ref(messageIds),
        response: {
          204: nothing('The messages are deleted'),
          ...problems('not_signed_in', 'forbidden_origin', 'not_found', ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      await privateMessages.removeAll(await open(request), request.body.ids)
      return reply.status(204).send()
    },
  )

  app.get<OfAddress>(
    '/account/private/:id/events',
    {
      schema: {
        tags,
        operationId: 'streamSealedEvents',
        summary: 'Stream changes of a private inbox',
        description:
          'Server-Sent Events: `message` (a `SealedMessage` that is new or changed), `deleted` (an object with the `id`), ' +
          '`address` (a `KeptAddress`) and `deliveries` (empty; a delivery failed). A client that reconnects with `Last-Event-ID` misses nothing. The stream ends with the address or ' +
          'the session; the last event is `end` (empty).',
        params: privateAddressId,
        querystring: streamQuery,
        response: { 200: answer('text/event-stream', 'The stream'), ...problems('not_signed_in', 'not_found') },
      },
    },
    async (request, reply) => {
      const address = await open(request)
      const grant = signedInGrant(request, await account.session(request), account.find)
      const inbox = inboxOf(address, request, context)
      await answerInbox(context, request, reply, grant, { ...inbox, visit: () => open(request) })
    },
  )

  app.post<{ Body: Static<typeof remoteUrls> }>(
    '/account/private/remote',
    {
      bodyLimit: options.maxPrivateBytes,
      schema: {
        tags,
        operationId: 'proxyRemoteImages',
        summary: 'Get remote images through the proxy',
        description: 'Returns URLs of the proxy, so that senders do not see the IP address of the reader.',
        body: ref(remoteUrls),
        response: {
          200: json(proxiedUrls, 'URLs at the proxy, which work for a limited time'),
          ...problems('not_signed_in', 'forbidden_origin', ...BODY_PROBLEMS),
        },
      },
    },
    async (request) => {
      await account.session(request)
      return { urls: deps.remoteContent.sign(request.body.urls) }
    },
  )

  void app.register(async (octets) => summaryRoute(octets, context, open))
}

const sendBox = (reply: FastifyReply, { buffer, byteOffset, length }: Uint8Array): FastifyReply =>
  reply.type(OCTETS).send(Buffer.from(buffer, byteOffset, length))
