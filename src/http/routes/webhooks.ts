import type { ProviderName } from '#core/plan.ts'
import type { Routes } from '../context.ts'

const SENDERS: readonly ProviderName[] = ['stripe', 'btcpay']

/**
 * Where payment services tell that something changed. Signed over the bytes as they came, so nothing reads them before. Any
 * answer but 2xx makes them tell it again later.
 */
export const webhookRoutes: Routes = (app, { deps, options }) => {
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const provider of SENDERS) {
      raw.post<{ Body: Buffer | undefined }>(
        `/webhooks/${provider}`,
        { bodyLimit: options.maxWebhookBytes, schema: { hide: true } },
        async ({ body = Buffer.alloc(0), headers }, reply) => {
          await deps.billing.handle(provider, body, headers)
          return reply.status(200).send()
        },
      )
    }
  })
}
