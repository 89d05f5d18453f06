import { faults, type FaultsJson } from '#contract/faults.ts'
import { MayflyError } from '#core/errors.ts'
import type { Routes } from '../../context.ts'
import { isLocalRequest } from '../../request-origin.ts'
import { BODY_PROBLEMS, json, nothing, problems, ref } from '../../schema.ts'

const tags = ['Testing']
const security = [{ secret: [] }]

const NEEDS_KEY = 'Outside of localhost, this needs an API key of Premium in `X-Api-Key`.'

/** SMTP faults on purpose, to test a sender. */
export const faultRoutes: Routes = (app, { auth, deps, keys, options }) => {
  app.get(
    '/address/faults',
    {
      schema: {
        tags,
        security,
        operationId: 'getFaults',
        summary: 'Get the SMTP faults of the address',
        description: 'Returns the rules that were set. Without rules, the list is empty.',
        response: { 200: json(faults, 'The rules'), ...problems('unauthorized') },
      },
    },
    async (request) => ({ rules: deps.faults.list((await auth.requireAddress(request)).open) }),
  )

  app.put<{ Body: FaultsJson }>(
    '/address/faults',
    {
      schema: {
        tags,
        security,
        operationId: 'setFaults',
        summary: 'Set SMTP faults for the address',
        description:
          'Lets the mail server refuse, delay or cut off messages to this address, to test how a sender handles that. Free on ' +
          'localhost; elsewhere an API key is required. The rules replace the earlier ones. They end with the address, and when its secret is replaced. Attempts are ' +
          'counted from now on, and again after a restart of the service; if it runs on several machines, on each of them. At ' +
          '`data`, a message to several recipients has no faults. If too many sessions wait for a delay, the reply is ' +
          '`451 4.3.2`. The list of deliveries shows what happened.',
        body: ref(faults),
        response: {
          200: json(faults, 'The rules'),
          ...problems('unauthorized', 'forbidden_origin', 'premium_required', ...BODY_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { open } = await auth.requireAddress(request)
      if (!isLocalRequest(request, options) && !keys.holder(request))
        throw new MayflyError('premium_required', NEEDS_KEY)
      await deps.faults.set(open, request.body.rules)
      return { rules: deps.faults.list(open) }
    },
  )

  app.delete(
    '/address/faults',
    {
      schema: {
        tags,
        security,
        operationId: 'clearFaults',
        summary: 'Remove the SMTP faults of the address',
        description: 'Messages are received as usual again.',
        response: { 204: nothing('The rules are removed'), ...problems('unauthorized', 'forbidden_origin') },
      },
    },
    async (request, reply) => {
      await deps.faults.set((await auth.requireAddress(request)).open, [])
      return reply.status(204).send()
    },
  )
}
