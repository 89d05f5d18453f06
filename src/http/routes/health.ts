import type { Routes } from '../context.ts'

export const healthRoutes: Routes = (app, { deps, stopping }) => {
  app.get('/livez', { schema: { hide: true } }, async () => ({ status: 'alive' }))

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const ready =
      !stopping.aborted &&
      (await deps.store.check().then(
        () => true,
        () => false,
      ))
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    const { contentType, body } = await deps.metrics.render()
    return reply.type(contentType).send(body)
  })
}
