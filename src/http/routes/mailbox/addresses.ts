import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  address,
  addressRequest,
  type AddressRequestJson,
  newAddress,
  secretBody,
  secretChange,
  type SecretChangeJson,
  sessionRequest,
  type SessionRequestJson,
} from '#contract/addresses.ts'
import { MayflyError } from '#core/errors.ts'
import type { OpenedAddress } from '#features/mailbox/index.ts'
import { unauthorized } from '../../auth/auth.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { addressJson } from '../../json/mailbox.ts'
import { takeOrThrow } from '../../limits/limits.ts'
import { once } from '../../repeated.ts'
import { BODY_PROBLEMS, json, nothing, problems, ref } from '../../schema.ts'

const tags = ['Addresses']

/**
 * Creates the address of a request: a test address if it carries an API key. `replace` deletes the old address once the
 * new one exists; if the new one is refused, the old one stays. An address that a subscriber creates on the site is
 * kept, unless it is for ten minutes. If the page shows a subscriber whose session has ended (`signedIn`), it throws
 * `not_signed_in`. Kept addresses are deleted only if their owner asks for it. A page of the site chooses the `secret`, so
 * that it can repeat a request whose response was lost: that returns the address of the secret, deletes nothing, and does
 * not count. `earlierSecret`: the secret of the ended address whose name is taken again; default: that of the request.
 */
export async function createFor(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: AddressRequestJson,
  earlierSecret?: string,
): Promise<OpenedAddress> {
  const { auth, keys, deps, rates } = context
  const { secret } = wanted
  const isKey = keys.holder(request) !== undefined
  const createNew = async (): Promise<OpenedAddress> => {
    if (!isKey) takeOrThrow(rates.creations, request, reply)
    return create(context, request, wanted, earlierSecret)
  }
  if (secret === undefined) return createNew()
  if (isKey || !auth.isOwnOrigin(request)) throw new MayflyError('invalid_request')
  return once(async () => {
    const open = await deps.addresses.open(secret)
    if (open) await keepCreated(context, request, { secret, open })
    return open && { secret, open }
  }, createNew)
}

/**
 * Keeps an address that a page of a subscriber has created, if the service stopped before it did and the list has room.
 * Without room it is opened nevertheless, because nobody else has its secret.
 */
async function keepCreated(
  { account, deps }: Pick<RouteContext, 'account' | 'deps'>,
  request: FastifyRequest,
  opened: OpenedAddress,
): Promise<void> {
  const signedIn = await account.findShown(request)
  if (signedIn) await deps.keptAddresses.keepCreated(signedIn.subscription, opened)
}

async function create(
  { auth, account, keys, deps }: RouteContext,
  request: FastifyRequest,
  { replace, signedIn: wasSignedIn, ...wanted }: AddressRequestJson,
  earlierSecret: string | undefined,
): Promise<OpenedAddress> {
  const own = auth.isOwnOrigin(request)
  const given = auth.credentialOf(request)
  // A cookie counts on the site's own pages only. A call from elsewhere is treated as one without a cookie.
  const previousSecret = given?.by === 'cookie' && !own ? undefined : given?.secret
  const old = replace && previousSecret !== undefined ? await deps.addresses.open(previousSecret) : undefined
  // A page of the site creates an address whether or not the browser still has one.
  if (replace && !old && given?.by !== 'cookie' && !own) throw unauthorized(given)
  if (old) auth.requireShown(request, old.address)
  const holder = keys.holder(request)
  const mayKeep = !holder && own && wanted.lifetime !== 'ten-minutes'
  const signedIn = mayKeep ? await account.findShown(request) : undefined
  if (mayKeep && wasSignedIn && !signedIn) throw new MayflyError('not_signed_in')
  const terms = { ...wanted, previousSecret: earlierSecret ?? previousSecret }
  const created = holder
    ? await deps.apiKeys.createAddress(holder, { ...terms, replaces: old })
    : signedIn?.active
      ? await deps.keptAddresses.create(signedIn.subscription, terms)
      : await deps.addresses.create(terms)
  if (old?.row.subscriptionId === null) await deps.addresses.remove(old)
  return created
}

/** Gives the address of a request a new secret. The browser gets it in the same way as the old one. */
export async function replaceSecret(
  { auth, deps }: Pick<RouteContext, 'auth' | 'deps'>,
  request: FastifyRequest,
  reply: FastifyReply,
  secret?: string,
): Promise<OpenedAddress> {
  const opened = await deps.secrets.replace((await auth.requireAddress(request)).open, secret)
  if (auth.isOwnOrigin(request)) await auth.setCookie(request, reply, opened)
  return opened
}

async function newAddressJson({ deps }: Pick<RouteContext, 'deps'>, { secret, open }: OpenedAddress) {
  const { address: name, expiresAt, lifetime } = addressJson(await deps.addresses.view(open))
  return { address: name, secret, expiresAt, lifetime }
}

export const addressRoutes: Routes = (app, context) => {
  const { auth, deps } = context

  app.post<{ Body: AddressRequestJson }>(
    '/addresses',
    {
      schema: {
        tags,
        operationId: 'createAddress',
        summary: 'Create an address',
        description:
          'One address per {createSeconds, plural, one {second} other {# seconds}} and IP address, {createBurst} in a burst.\n' +
          'With an API key there is no such limit: up to {keyAddresses, plural, one {# address} other {# addresses}} may ' +
          'exist at the same time, on all domains that the subscriber may use.\n' +
          'No secret is required. After an address has expired or was deleted, its name is reserved for ' +
          '{quarantineDays, plural, one {# day} other {# days}}: send the old secret to create it again.',
        // Either is valid.
        security: [{}, { key: [] }, { secret: [] }],
        body: ref(addressRequest),
        response: {
          201: json(newAddress, 'The address and its secret'),
          ...problems(
            'unauthorized',
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
      const created = await createFor(context, request, reply, request.body)
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
        summary: 'Get the address',
        description:
          'Like every request with the secret, this extends an address with the lifetime `day`, unless it has the header `X-Visit: no`.',
        response: { 200: json(address, 'The address'), ...problems('unauthorized') },
        security: [{ secret: [] }],
      },
    },
    async (request) => addressJson(await deps.addresses.view((await auth.requireAddress(request)).open)),
  )

  app.post(
    '/address/extend',
    {
      schema: {
        tags,
        operationId: 'extendAddress',
        description:
          'Restarts the lifetime of the address, for example the {shortMinutes, plural, one {# minute} other {# minutes}} of `ten-minutes`.',
        summary: 'Extend the address',
        response: {
          200: json(address, 'The address with its new time of expiry'),
          ...problems('unauthorized', 'forbidden_origin'),
        },
        security: [{ secret: [] }],
      },
    },
    async (request) => addressJson(await deps.addresses.extend((await auth.requireAddress(request)).open)),
  )

  app.post<{ Body: SecretChangeJson }>(
    '/address/secret',
    {
      schema: {
        tags,
        operationId: 'replaceSecret',
        summary: 'Replace the secret',
        description:
          'Use it if someone else may know the secret. The address and its messages stay. The old secret, links with it and ' +
          'streams that it opened stop working immediately. Forwardings end, and push subscriptions, SMTP faults and the password for ' +
          'compatible APIs are removed, because someone else may have set them.',
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
        description: 'Deletes the address and its messages immediately.',
        summary: 'Delete the address',
        response: {
          204: nothing('The address and its messages are deleted'),
          ...problems('unauthorized', 'forbidden_origin'),
        },
        security: [{ secret: [] }],
      },
    },
    async (request, reply) => {
      await deps.addresses.remove((await auth.requireAddress(request)).open)
      if (auth.isOwnOrigin(request)) auth.clearCookie(reply)
      return reply.status(204).send()
    },
  )
}

/** The site's own session: the secret in an HttpOnly cookie. Other programs do not need it. */
export const sessionRoutes: Routes = (app, context) => {
  const { auth, deps } = context
  const session = ['Session of the site']

  app.post<{ Body: SessionRequestJson }>(
    '/session',
    {
      schema: {
        tags: session,
        operationId: 'openSession',
        summary: 'Open an address in this browser',
        description: 'Sets the cookie of the address, if the secret is valid.',
        body: ref(sessionRequest),
        response: {
          200: json(address, 'The address'),
          ...problems('unauthorized', 'forbidden_origin', ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      const { secret, created } = request.body
      const open = await deps.addresses.open(secret)
      if (!open) throw new MayflyError('unauthorized')
      if (created) await keepCreated(context, request, { secret, open })
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
        summary: 'Get the secret, for a link to another device',
        description: 'Returns the secret of the address that is open in this browser.',
        response: { 200: json(secretBody, 'The secret'), ...problems('unauthorized', 'forbidden_origin') },
      },
    },
    async (request) => {
      auth.requireOwnOrigin(request)
      return { secret: (await auth.requireAddress(request)).secret }
    },
  )

  app.delete(
    '/session',
    {
      schema: {
        tags: session,
        operationId: 'closeSession',
        summary: 'Close the address in this browser',
        description: 'Clears the cookie. The address still exists, and its secret still opens it.',
        response: { 204: nothing('The cookie is cleared. The address still exists.'), ...problems('forbidden_origin') },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      auth.clearCookie(reply)
      return reply.status(204).send()
    },
  )
}
