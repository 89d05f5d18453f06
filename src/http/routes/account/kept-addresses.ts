import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { shownAccount } from '#contract/account.ts'
import { address, secretBody } from '#contract/addresses.ts'
import {
  keptAddress,
  keptAddressChange,
  keptAddressId,
  keptAddressList,
  keptAddressRequest,
  type KeptAddressRequestJson,
} from '#contract/kept-addresses.ts'
import { MayflyError } from '#core/errors.ts'
import type { OpenedAddress } from '#features/mailbox/index.ts'
import { signedInGrant } from '../../auth/auth.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { keptJson, keptListJson } from '../../json/account.ts'
import { addressJson } from '../../json/mailbox.ts'
import { takeOrThrow } from '../../limits/limits.ts'
import { answer, BODY_PROBLEMS, commentsText, json, nothing, problems, ref } from '../../schema.ts'
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

type Context = Pick<RouteContext, 'account' | 'auth' | 'deps'>

/** Opens an address of the subscriber in the browser. */
export async function openKept(
  { account, auth, deps }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<OpenedAddress> {
  const { subscription } = await account.session(request)
  const opened = await deps.keptAddresses.open(subscription, id)
  await auth.setCookie(request, reply, opened)
  return opened
}

/** Deletes an address of the subscriber. */
export async function removeKept(
  { account, auth, deps }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<void> {
  const { subscription } = await account.session(request)
  const opened = await auth.open(request)
  await deps.keptAddresses.remove(subscription, id)
  if (opened?.open.row.id === id) auth.clearCookie(reply)
}

/** The addresses of a subscriber. Everything else about an address works with its cookie, as for any address. */
export const keptAddressRoutes: Routes = (app, context) => {
  const { account, auth, deps, options, rates } = context
  const { keptAddresses } = deps

  app.get(
    '/account/addresses',
    {
      schema: {
        tags,
        operationId: 'listKeptAddresses',
        summary: 'List the addresses of the subscription',
        description: 'Returns all addresses, with their numbers of unread messages.',
        response: { 200: json(keptAddressList, 'The addresses'), ...problems('not_signed_in') },
      },
    },
    async (request) => keptListJson(await keptAddresses.listAndRestore((await account.session(request)).subscription)),
  )

  app.post<{ Body: KeptAddressRequestJson }>(
    '/account/addresses',
    {
      schema: {
        tags,
        operationId: 'keepAddress',
        summary: 'Create an address, or keep the current one',
        description:
          'Creates an address that lasts as long as the subscription. With `adopt`, keeps the address that is open in this browser.',
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
        ? await keptAddresses.adopt(subscription, await auth.requireAddress(request), label)
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
        summary: 'Name an address',
        description: 'Changes the name that is shown in the list.',
        params: keptAddressId,
        body: ref(keptAddressChange),
        response: {
          200: json(keptAddress, 'The changed address'),
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
        summary: 'Delete an address and its messages',
        description: 'Deletes the address and its messages immediately.',
        params: keptAddressId,
        response: {
          204: nothing('The address is deleted'),
          ...problems('not_signed_in', 'forbidden_origin', 'not_found'),
        },
      },
    },
    async (request, reply) => {
      await removeKept(context, request, reply, request.params.id)
      return reply.status(204).send()
    },
  )

  app.post<OfOne>(
    '/account/addresses/:id/open',
    {
      schema: {
        tags,
        operationId: 'openKeptAddress',
        summary: 'Open an address in this browser',
        description: 'Sets the cookie of the address.',
        params: keptAddressId,
        response: {
          200: json(address, 'The address'),
          ...problems('not_signed_in', 'forbidden_origin', 'not_found', 'address_invalid'),
        },
      },
    },
    async (request, reply) => {
      const { open } = await openKept(context, request, reply, request.params.id)
      return addressJson(await deps.addresses.view(open))
    },
  )

  app.post<OfOne>(
    '/account/addresses/:id/reveal',
    {
      schema: {
        tags,
        operationId: 'revealKeptSecret',
        summary: 'Get the secret of an address',
        description:
          'Returns the secret, for the browser extension. The browser does not open the address. A fully private address has no secret here.',
        params: keptAddressId,
        response: {
          200: json(secretBody, 'The secret'),
          ...problems('not_signed_in', 'forbidden_origin', 'not_found', 'address_invalid'),
        },
      },
    },
    async (request) => {
      const { subscription } = await account.session(request)
      return { secret: (await keptAddresses.open(subscription, request.params.id)).secret }
    },
  )

  app.post<OfOne>(
    '/account/addresses/:id/secret',
    {
      schema: {
        tags,
        operationId: 'replaceKeptSecret',
        summary: 'Replace the secret of an address',
        description:
          'All old links to the address stop working immediately. Signed-in browsers keep access. The secret of a fully private address cannot be replaced.',
        params: keptAddressId,
        response: {
          204: nothing('The secret is replaced'),
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
        summary: 'Stream changes of the addresses',
        description:
          'Server-Sent Events. The event `addresses` contains the whole list, at first and after every change of the list or of ' +
          `an inbox. ${commentsText(options)} The stream ends with the session; the last event is \`end\` (empty).`,
        querystring: shownAccount,
        response: { 200: answer('text/event-stream', 'The stream'), ...problems('not_signed_in') },
      },
    },
    async (request, reply) => {
      const grant = signedInGrant(request, await account.session(request), account.find)
      await answerStream(context, request, reply, grant, (stream) => followKept(stream, request, context))
    },
  )
}
