import { setTimeout } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Routes } from '../../context.ts'
import { json } from '../../schema.ts'

const health = Type.Object({ status: Type.String() })
const told = (operationId: string, summary: string) => ({ tags: ['Service'], operationId, summary })

/** A check writes to the disk. More than one request per second gets the last result. In milliseconds. */
const CHECK_INTERVAL = 1000
/** A store that takes longer for a check is not ready, in milliseconds. Load balancers do not wait long. */
const CHECK_TIMEOUT = 1500

export const healthRoutes: Routes = (app, { deps }) => {
  let checkedAt = -Infinity
  let checking = false
  let healthy = Promise.resolve(true)

  function check(): Promise<boolean> {
    const now = performance.now()
    // A check that hangs holds a connection, and another check would hold one more.
    if (!checking && now - checkedAt >= CHECK_INTERVAL) {
      checkedAt = now
      checking = true
      healthy = deps.store
        .check()
        .then(
          () => true,
          () => false,
        )
        .finally(() => (checking = false))
    }
    const late = setTimeout(CHECK_TIMEOUT, false, { ref: false })
    return Promise.race([healthy, late])
  }

  app.get(
    '/livez',
    { schema: { ...told('livez', 'Whether the process runs'), response: { 200: json(health, 'It does') } } },
    async () => ({ status: 'alive' }),
  )

  const readiness = { 200: json(health, 'It can'), 503: json(health, 'It can not, or is stopping') }
  app.get(
    '/readyz',
    { schema: { ...told('readyz', 'Whether it can store and read'), response: readiness } },
    async (_request, reply) => {
      if (deps.draining.aborted) return reply.status(503).send({ status: 'stopping' })
      const ready = await check()
      return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
    },
  )
}
