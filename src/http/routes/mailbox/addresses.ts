import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  address,
  addressRequest,
  type AddressRequestJson,
  newAddress,
  secretBody,
  secretChange,
  type SecretChangeJson,
} from '#contract/addresses.ts'
import { MayflyError } from '#core/errors.ts'
import type { OpenedAddress } from '#features/mailbox/index.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { addressJson } from '../../json.ts'
import { takeOrThrow } from '../../limits/limits.ts'
import { BODY_PROBLEMS, json, nothing, problems, ref } from '../../schema.ts'

const tags = ['Addresses']

/**
 * Creates the address of a request: a test address if it carries an API key. `replace` deletes the old address once the
 * new one exists; if the new one is refused, the old one stays. An address that a subscriber creates on the site is
 * kept, unless it is for ten minutes. Kept addresses are deleted only if their owner asks for it. `earlierSecret`: the
 * secret of the ended address whose name is taken again; default: that of the request.
 */
export async function createFor(
  { auth, account, keys, deps }: RouteContext,
  request: FastifyRequest,
  { replace, ...wanted }: AddressRequestJson,
  earlierSecret?: string,
): Promise<OpenedAddress> {
  const own = auth.isOwnOrigin(request)
  const given = auth.credentialOf(request)
  // A cookie counts on the site's own pages only. An API call from elsewhere counts as a stranger's.
  const previousSecret = given?.by === 'cookie' && !own ? undefined : given?.secret
  const old = replace && previousSecret !== undefined ? await deps.addresses.open(previousSecret) : undefined
  const holder = keys.holder(request)
  const signedIn = !holder && own && wanted.lifetime !== 'ten-minutes' ? await account.find(request) : undefined
  const terms = { ...wanted, previousSecret: earlierSecret ?? previousSecret }
  const created = holder
    ? await deps.apiKeys.createAddress(holder, terms)
    : signedIn?.active
      ? await deps.keptAddresses.create(signedIn.subscription, terms)
      : await deps.addresses.create(terms)
  if (old?.row.subscriptionId === null) await deps.addresses.end(old)
  return created
}

/** Gives the address of a request a new secret. The browser gets it in the same way as the old one. */
export async function replaceSecret(
  { auth, deps }: Pick<RouteContext, 'auth' | 'deps'>,
  request: FastifyRequest,
  reply: FastifyReply,
  secret?: string,
): Promise<OpenedAddress> {
  const opened = await deps.secrets.replace((await auth.session(request)).open, secret)
  if (auth.isOwnOrigin(request)) await auth.setCookie(request, reply, opened)
  return opened
}

async function newAddressJson({ deps }: Pick<RouteContext, 'deps'>, { secret, open }: OpenedAddress) {
  const { address: name, expiresAt, lifetime } = addressJson(await deps.addresses.view(open))
  return { address: name, secret, expiresAt, lifetime }
}

/** If all fields of a body are optional, the body itself is. */
const bodyIsOptional = async (request: FastifyRequest): Promise<void> => {
  if (request.body === undefined) request.body = {}
}

export const addressRoutes: Routes = (app, context) => {
  const { auth, keys, deps, rates } = context

  app.post<{ Body: AddressRequestJson }>(
    '/addresses',
    {
      preValidation: bodyIsOptional,
      schema: {
        tags,
        operationId: 'createAddress',
        summary: 'Create an address',
        description:
          'One each 8 seconds for each IP address, 5 at once; with an API key as many as you like, up to 1,000 that are alive at ' +
          'once, also under premium domains and your own. No secret is needed; with that of an ended address its holder takes ' +
          'the same name again during the quarantine of 30 days.',
        // Either is valid.
        security: [{}, { secret: [] }, { key: [] }],
        body: ref(addressRequest),
        response: {
          201: json(newAddress, 'The address and its secret'),
          ...problems(
            'premium_required',
            'addresses_full',
            'address_taken',
            'login_invalid',
            'login_reserved',
            'domain_unknown',
            ...BODY_PROBLEMS,
          ),
        },
      },
    },
    async (request, reply) => {
      if (!keys.holder(request)) takeOrThrow(rates.creations, request, reply)
      const created = await createFor(context, request, request.body)
      if (auth.isOwnOrigin(request)) await auth.setCookie(request, reply, created)
      return reply.status(201).send(await newAddressJson(context, created))
    },
  )

  app.get(
    '/address',
    {
      schema: {
        tags,
        operationId: 'getAddress',
        summary: 'The address of the secret',
        description: 'Like every call with the secret this is a visit: it starts a sliding lifetime again.',
        response: { 200: json(address, 'The address'), ...problems('unauthorized') },
        security: [{ secret: [] }],
      },
    },
    async (request) => addressJson(await deps.addresses.view((await auth.session(request)).open)),
  )

  app.post(
    '/address/extend',
    {
      schema: {
        tags,
        operationId: 'extendAddress',
        summary: 'Start the lifetime again ("Reset to 10 minutes")',
        response: {
          200: json(address, 'The address with its later end'),
          ...problems('unauthorized', 'forbidden_origin'),
        },
        security: [{ secret: [] }],
      },
    },
    async (request) => addressJson(await deps.addresses.extend((await auth.session(request)).open)),
  )

  app.post<{ Body: SecretChangeJson }>(
    '/address/secret',
    {
      preValidation: bodyIsOptional,
      schema: {
        tags,
        operationId: 'replaceSecret',
        summary: 'Replace the secret: all old links and sessions stop working, at once',
        description:
          'For when somebody else may have the secret. The address and its mail stay; the old secret is refused from then on, ' +
          'and streams that it opened end. If you send a `secret` of your own and no answer comes, try that one.',
        body: secretChange,
        response: {
          200: json(newAddress, 'The address and its new secret'),
          ...problems('unauthorized', 'forbidden_origin', ...BODY_PROBLEMS),
        },
        security: [{ secret: [] }],
      },
    },
    async (request, reply) =>
      newAddressJson(context, await replaceSecret(context, request, reply, request.body.secret)),
  )

  app.delete(
    '/address',
    {
      schema: {
        tags,
        operationId: 'deleteAddress',
        summary: 'End the address and delete its mail, at once',
        response: { 204: nothing('All of it is gone'), ...problems('unauthorized', 'forbidden_origin') },
        security: [{ secret: [] }],
      },
    },
    async (request, reply) => {
      await deps.addresses.end((await auth.session(request)).open)
      if (auth.isOwnOrigin(request)) auth.clearCookie(reply)
      return reply.status(204).send()
    },
  )
}

/** The site's own session: the secret in an HttpOnly cookie. Other programs do not need it. */
export const sessionRoutes: Routes = (app, { auth, deps }) => {
  const session = ['Session of the site']

  app.post<{ Body: { secret: string } }>(
    '/session',
    {
      schema: {
        tags: session,
        operationId: 'openSession',
        summary: 'Open an address on this device: sets the cookie',
        body: secretBody,
        response: {
          200: json(address, 'The address'),
          ...problems('unauthorized', 'forbidden_origin', ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      const { secret } = request.body
      const open = await deps.addresses.open(secret)
      if (!open) throw new MayflyError('unauthorized')
      await auth.setCookie(request, reply, { secret, open })
      return addressJson(await deps.addresses.view(open))
    },
  )

  app.post(
    '/session/reveal',
    {
      schema: {
        tags: session,
        operationId: 'revealSecret',
        summary: 'The secret, for a link to another device',
        response: { 200: json(secretBody, 'The secret'), ...problems('unauthorized', 'forbidden_origin') },
      },
    },
    async (request) => {
      auth.requireOwnOrigin(request)
      return { secret: (await auth.session(request)).secret }
    },
  )

  app.delete(
    '/session',
    {
      schema: {
        tags: session,
        operationId: 'closeSession',
        summary: 'Forget the address on this device: clears the cookie',
        response: { 204: nothing('Forgotten; the address lives on'), ...problems('forbidden_origin') },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      auth.clearCookie(reply)
      return reply.status(204).send()
    },
  )
}
