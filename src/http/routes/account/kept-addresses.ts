import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { address } from '#contract/addresses.ts'
import {
  keptAddress,
  keptAddressChange,
  keptAddressId,
  keptAddressList,
  keptAddressRequest,
  type KeptAddressRequestJson,
} from '#contract/kept-addresses.ts'
import { MayflyError } from '#core/errors.ts'
import { signedInGrant } from '../../auth/auth.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { addressJson, keptJson, keptListJson } from '../../json.ts'
import { takeOrThrow } from '../../limits/limits.ts'
import { answer, BODY_PROBLEMS, json, nothing, problems, ref } from '../../schema.ts'
import { followKept } from '../../streams/kept-stream.ts'
import { answerStream } from '../../streams/stream.ts'

const tags = ['Account of the site']

type OfOne = { Params: Static<typeof keptAddressId> }

/** Gives an address of the subscriber a new secret. */
export async function replaceKept(
  { account, deps }: Pick<RouteContext, 'account' | 'deps'>,
  request: FastifyRequest,
  id: string,
): Promise<void> {
  const { subscription } = await account.session(request)
  await deps.secrets.replace((await deps.keptAddresses.open(subscription, id)).open)
}

/** The addresses of a subscriber. Everything else about an address works with its cookie, as for any address. */
export const keptAddressRoutes: Routes = (app, context) => {
  const { account, auth, deps, rates } = context
  const { keptAddresses } = deps

  app.get(
    '/account/addresses',
    {
      schema: {
        tags,
        operationId: 'listKeptAddresses',
        summary: 'The addresses of the subscriber',
        response: { 200: json(keptAddressList, 'All of them'), ...problems('not_signed_in') },
      },
    },
    async (request) => keptListJson(await keptAddresses.list((await account.session(request)).subscription)),
  )

  app.post<{ Body: KeptAddressRequestJson }>(
    '/account/addresses',
    {
      schema: {
        tags,
        operationId: 'keepAddress',
        summary: 'Make another address, or keep the one of the cookie',
        body: ref(keptAddressRequest),
        response: {
          201: json(keptAddress, 'The address'),
          ...problems(
            'not_signed_in',
            'unauthorized',
            'premium_required',
            'forbidden_origin',
            'addresses_full',
            'address_taken',
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
      const { adopt = false, label, ...wanted } = request.body
      if (adopt && Object.keys(wanted).length > 0) throw new MayflyError('invalid_request')
      takeOrThrow(rates.creations, request, reply)
      const opened = adopt
        ? await keptAddresses.adopt(subscription, await auth.session(request), label)
        : await keptAddresses.create(subscription, { ...wanted, label })
      if (adopt) await auth.setCookie(request, reply, opened)
      return reply.status(201).send(keptJson(await keptAddresses.find(subscription, opened.open.row.id)))
    },
  )

  app.patch<OfOne & { Body: Static<typeof keptAddressChange> }>(
    '/account/addresses/:id',
    {
      schema: {
        tags,
        operationId: 'renameKeptAddress',
        summary: 'Give an address a name of its own',
        params: keptAddressId,
        body: ref(keptAddressChange),
        response: {
          200: json(keptAddress, 'The address as it is now'),
          ...problems('not_signed_in', 'forbidden_origin', 'not_found', 'label_invalid', ...BODY_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { subscription } = await account.session(request)
      const { id } = request.params
      await keptAddresses.rename(subscription, id, request.body.label)
      return keptJson(await keptAddresses.find(subscription, id))
    },
  )

  app.delete<OfOne>(
    '/account/addresses/:id',
    {
      schema: {
        tags,
        operationId: 'removeKeptAddress',
        summary: 'End an address and delete its mail, at once',
        params: keptAddressId,
        response: {
          204: nothing('All of it is gone'),
          ...problems('not_signed_in', 'forbidden_origin', 'not_found'),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      const { id } = request.params
      const session = await auth.open(request)
      await keptAddresses.remove(subscription, id)
      if (session?.open.row.id === id) auth.clearCookie(reply)
      return reply.status(204).send()
    },
  )

  app.post<OfOne>(
    '/account/addresses/:id/open',
    {
      schema: {
        tags,
        operationId: 'openKeptAddress',
        summary: 'Open an address on this device: sets its cookie',
        params: keptAddressId,
        response: {
          200: json(address, 'The address'),
          ...problems('not_signed_in', 'forbidden_origin', 'not_found', 'address_invalid'),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      const opened = await keptAddresses.open(subscription, request.params.id)
      await auth.setCookie(request, reply, opened)
      return addressJson(await deps.addresses.view(opened.open))
    },
  )

  app.post<OfOne>(
    '/account/addresses/:id/secret',
    {
      schema: {
        tags,
        operationId: 'replaceKeptSecret',
        summary: 'Replace the secret of an address: all old links stop working, at once',
        description:
          'Browsers that are signed in keep the address. A fully private one has its key in the browser alone.',
        params: keptAddressId,
        response: {
          204: nothing('The old links open nothing any more'),
          ...problems('not_signed_in', 'forbidden_origin', 'not_found', 'address_invalid', 'unauthorized'),
        },
      },
    },
    async (request, reply) => {
      await replaceKept(context, request, request.params.id)
      return reply.status(204).send()
    },
  )

  app.get(
    '/account/events',
    {
      schema: {
        tags,
        operationId: 'streamKeptAddresses',
        summary: 'Changes of the addresses and their unread counts as Server-Sent Events',
        description:
          'The event `addresses` is the whole list: at once, and whenever one of the inboxes or the list has changed. A comment ' +
          'every 25 seconds keeps the connection open. The stream ends with the session.',
        response: { 200: answer('text/event-stream', 'The stream'), ...problems('not_signed_in') },
      },
    },
    async (request, reply) => {
      const grant = signedInGrant(request, await account.session(request), account.find)
      await answerStream(context, request, reply, grant, (stream) => followKept(stream, request, context))
    },
  )
}
