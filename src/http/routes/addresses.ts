import type { FastifyRequest } from 'fastify'
import { address, addressRequest, type AddressRequestJson, newAddress, secretBody } from '#contract/addresses.ts'
import { MayflyError } from '#core/errors.ts'
import type { RouteContext, Routes } from '../context.ts'
import { addressJson } from '../json.ts'
import { takeOrThrow } from '../limits.ts'
import { json, problems, ref } from '../schema.ts'

const tags = ['Addresses']

/**
 * Makes the address of a request. `replace` ends the old one once the new one is there; where the new one is refused, the
 * old one stays as it is.
 */
export async function createFor(
  { auth, deps }: RouteContext,
  request: FastifyRequest,
  { replace, ...wanted }: AddressRequestJson,
) {
  const given = auth.secretOf(request)
  // A cookie counts only on the site's own pages: an API call from elsewhere is a stranger's.
  const previous = given?.by === 'cookie' && !auth.isOwnOrigin(request) ? undefined : given?.secret
  const old = replace && previous !== undefined ? await deps.addresses.open(previous) : undefined
  const created = await deps.addresses.create({ ...wanted, previousSecret: previous })
  if (old) await deps.addresses.end(old)
  return created
}

export const addressRoutes: Routes = (app, context) => {
  const { auth, deps, creations } = context

  app.post<{ Body: AddressRequestJson }>(
    '/addresses',
    {
      // All of it is optional, and so is the body itself.
      preValidation: async (request) => {
        if (request.body === undefined) request.body = {}
      },
      schema: {
        tags,
        summary: 'Create an address',
        description: 'With the secret of an ended address its holder takes the same name again during the quarantine.',
        body: ref(addressRequest),
        response: { 201: json(newAddress, 'The address and its secret'), ...problems(400, 403, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      takeOrThrow(creations, request, reply)
      const { secret, open } = await createFor(context, request, request.body)
      if (auth.isOwnOrigin(request)) auth.setCookie(reply, secret)
      const { address: name, expiresAt, lifetime } = addressJson(deps.addresses.view(open))
      return reply.status(201).send({ address: name, secret, expiresAt, lifetime })
    },
  )

  app.get(
    '/address',
    {
      schema: {
        tags,
        summary: 'The address of the secret',
        response: { 200: json(address, 'The address'), ...problems(401) },
        security: [{ secret: [] }],
      },
    },
    async (request) => addressJson(deps.addresses.view((await auth.session(request)).open)),
  )

  app.post(
    '/address/extend',
    {
      schema: {
        tags,
        summary: 'Start the lifetime again',
        response: { 200: json(address, 'The address'), ...problems(401, 403) },
        security: [{ secret: [] }],
      },
    },
    async (request) => addressJson(await deps.addresses.extend((await auth.session(request)).open)),
  )

  app.delete(
    '/address',
    {
      schema: {
        tags,
        summary: 'End the address and delete its mail',
        response: { 204: { type: 'null', description: 'Done' }, ...problems(401, 403) },
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

/** The site's own session: the secret in an HttpOnly cookie. Other programs have no use for it. */
export const sessionRoutes: Routes = (app, { auth, deps }) => {
  const hide = { tags: ['Session of the site'] }

  app.post<{ Body: { secret: string } }>(
    '/session',
    {
      schema: {
        ...hide,
        summary: 'Open an address on this device',
        body: secretBody,
        response: { 200: json(address, 'The address'), ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      const open = await deps.addresses.open(request.body.secret)
      if (!open) throw new MayflyError('unauthorized')
      auth.setCookie(reply, request.body.secret)
      return addressJson(deps.addresses.view(open))
    },
  )

  app.post(
    '/session/reveal',
    {
      schema: {
        ...hide,
        summary: 'The secret, for a link to another device',
        response: {
          200: { description: 'The secret', content: { 'application/json': { schema: secretBody } } },
          ...problems(401, 403),
        },
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
        ...hide,
        summary: 'Forget the address on this device',
        response: { 204: { type: 'null', description: 'Done' }, ...problems(403) },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      auth.clearCookie(reply)
      return reply.status(204).send()
    },
  )
}
