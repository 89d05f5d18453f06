import { MayflyError } from '#core/errors.ts'
import { POLICY_PATH } from '#features/operating/index.ts'
import type { Routes } from '../../context.ts'
import { sendProblem } from '../../errors.ts'

/** Serves the MTA-STS policy (RFC 8461 3.3) at one host per mail domain, and at no other. */
export const mtaStsRoutes: Routes = (app, { deps }) => {
  app.get(POLICY_PATH, { schema: { hide: true } }, async ({ hostname }, reply) => {
    const policy = deps.mtaSts.policyOf(hostname)
    return policy === undefined
      ? sendProblem(reply, new MayflyError('not_found'))
      : reply.type('text/plain; charset=utf-8').send(policy)
  })
}
