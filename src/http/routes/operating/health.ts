import { setTimeout } from 'node:timers/promises'
import { Type } from 'typebox'
import { createTrouble } from '#core/trouble.ts'
import type { Routes } from '../../context.ts'
import { json, problems } from '../../schema.ts'

const health = Type.Object({ status: Type.String({ description: 'The state in one or two words' }) })
const about = (operationId: string, summary: string, description: string) => ({
  tags: ['Service'],
  operationId,
  summary,
  description,
})
const INVALID = Object.fromEntries(Object.entries(problems()).filter(([status]) => status === '400'))

/** A check writes to the disk. More than one request per second gets the last result. In milliseconds. */
const CHECK_INTERVAL = 1000
/** A store that takes longer for a check is not ready, in milliseconds. Load balancers do not wait long. */
const CHECK_TIMEOUT = 1500

export const healthRoutes: Routes = (app, { deps }) => {
  let checkedAt = -Infinity
  let checking = false
  let healthy = Promise.resolve(true)
  const trouble = createTrouble({
    start: (err) => deps.logger.warn({ err }, 'not ready: the check of the store failed'),
    end: () => deps.logger.info({}, 'ready again'),
  })
  const notReady = (error: unknown): boolean => {
    trouble.start(error)
    return false
  }

  async function check(): Promise<boolean> {
    const now = performance.now()
    // A check that hangs holds a connection, and another check would hold one more.
    if (!checking && now - checkedAt >= CHECK_INTERVAL) {
      checkedAt = now
      checking = true
      healthy = deps.store
        .check()
        .then(() => {
          trouble.end()
          return true
        }, notReady)
        .finally(() => (checking = false))
    }
    const late = setTimeout(CHECK_TIMEOUT, undefined, { ref: false })
    const result = await Promise.race([healthy, late])
    return result ?? notReady(new Error(`The store did not respond within ${CHECK_TIMEOUT / 1000} s`))
  }

  app.get(
    '/livez',
    {
      schema: {
        ...about('livez', 'Check whether the process runs', 'For health checks. It does not access the store.'),
        response: { 200: json(health, 'The process runs'), ...INVALID },
      },
    },
    async () => ({ status: 'alive' }),
  )

  const readiness = {
    200: json(health, 'It can store and read messages'),
    503: json(health, 'It cannot store or read messages, or is stopping'),
    ...INVALID,
  }
  app.get(
    '/readyz',
    {
      schema: {
        ...about(
          'readyz',
          'Check whether the service is ready',
          'For load balancers. It fails while the service starts or stops, or cannot store or read messages.',
        ),
        response: readiness,
      },
    },
    async (_request, reply) => {
      if (deps.draining.aborted) return reply.status(503).send({ status: 'stopping' })
      const ready = await check()
      return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
    },
  )
}
