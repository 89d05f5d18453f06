import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { apiKeyId, apiKeyList, apiKeyRequest, newApiKey } from '#contract/api-keys.ts'
import { MayflyError } from '#core/errors.ts'
import type { KeyHolder } from '#features/account/index.ts'
import type { Routes } from '../../context.ts'
import { keyJson, keysOf } from '../../json/account.ts'
import { BODY_PROBLEMS, json, nothing, problems, ref } from '../../schema.ts'

const tags = ['Account of the site']

/** The API keys of a subscriber. */
export const apiKeyRoutes: Routes = (app, context) => {
  const { account, keys } = context
  const { apiKeys } = context.deps

  function holderOf(request: FastifyRequest): KeyHolder {
    const holder = keys.holder(request)
    if (!holder) throw new MayflyError('key_invalid', 'Send the key as `X-Api-Key`.')
    return holder
  }

  app.get(
    '/account/keys',
    {
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description: 'Returns the API keys, without their tokens, and their limits.',
        response: { 200: json(apiKeyList, 'The API keys and their limits'), ...problems('not_signed_in') },
      },
    },
    async (request) => keysOf(context, (await account.session(request)).subscription),
  )

  app.post<{ Body: Static<typeof apiKeyRequest> }>(
    '/account/keys',
    {
      schema: {
        tags,
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description: 'Creates an API key. Its token is returned only here.',
        body: ref(apiKeyRequest),
        response: {
          201: json(newApiKey, 'The key and its token'),
          ...problems(
            'not_signed_in',
            'forbidden_origin',
            'premium_required',
            'email_unconfirmed',
            'label_invalid',
            'keys_full',
            ...BODY_PROBLEMS,
          ),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      const { token, ...view } = await apiKeys.create(subscription, request.body.label)
      return reply.status(201).send({ ...keyJson(view), token })
    },
  )

  app.delete<{ Params: Static<typeof apiKeyId> }>(
    '/account/keys/:id',
    {
      schema: {
        tags,
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description: 'Addresses that it created stay until they expire.',
        params: apiKeyId,
        response: {
          204: nothing('It stops working within seconds'),
          ...problems('not_signed_in', 'forbidden_origin', 'key_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      await apiKeys.revoke(subscription, request.params.id)
      return reply.status(204).send()
    },
  )

  app.delete(
    '/key',
    {
      schema: {
        tags,
        security: [{ key: [] }],
        operationId: 'revokeThisApiKey',
        summary: 'Revoke the API key of the request',
        description: 'For a program that no longer needs its key. Addresses that it created stay until they expire.',
        response: { 204: nothing('It stops working within seconds'), ...problems('key_invalid', 'key_not_found') },
      },
    },
    async (request, reply) => {
      const holder = holderOf(request)
      await apiKeys.revoke(holder.subscription, holder.keyId)
      return reply.status(204).send()
    },
  )

  app.delete(
    '/key/addresses',
    {
      schema: {
        tags: ['Addresses'],
        security: [{ key: [] }],
        operationId: 'deleteAddressesOfThisApiKey',
        summary: 'Delete the addresses of an API key',
        description:
          'Deletes all addresses that the API key of the request created, except kept ones, and their messages. A run of ' +
          'tests that was aborted leaves addresses whose secrets are lost, and which count until they expire. Call this ' +
          'before a run. Give each pipeline a key of its own, so that none deletes the addresses of another. Names stay ' +
          'reserved as usual.',
        response: { 204: nothing('The addresses are deleted'), ...problems('key_invalid') },
      },
    },
    async (request, reply) => {
      await apiKeys.deleteAddresses(holderOf(request))
      return reply.status(204).send()
    },
  )
}
