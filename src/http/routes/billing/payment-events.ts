import { PROVIDER_NAMES, PROVIDERS } from '#core/billing/provider.ts'
import { catalog } from '#core/errors.ts'
import { MINUTE } from '#core/time.ts'
import type { Routes } from '../../context.ts'
import { sendProblem, toMayflyError } from '../../errors.ts'
import { takeOrThrow } from '../../limits/limits.ts'

const SENDERS = PROVIDER_NAMES.filter((name) => PROVIDERS[name].sendsEvents)
/** Milliseconds between two log lines about failed events of one provider, because anyone can send such events. */
const LOG_INTERVAL = MINUTE

/**
 * Receives payment events. They are signed over the raw bytes, so nothing parses them before. Providers repeat an event
 * after any response but 2xx.
 */
export const paymentEventRoutes: Routes = (app, { deps, options, rates }) => {
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const provider of SENDERS) {
      let failed = 0
      let loggedAt = -Infinity

      const logFailure = (error: unknown, code: string): void => {
        failed++
        const now = deps.clock()
        if (now - loggedAt < LOG_INTERVAL) return
        const fields = { provider, code, failed }
        if (code === 'internal') deps.logger.error({ ...fields, err: error }, 'payment event failed')
        else deps.logger.warn(fields, 'payment event refused')
        loggedAt = now
        failed = 0
      }

      raw.post<{ Body: Buffer | undefined }>(
        `/webhooks/${provider}`,
        {
          bodyLimit: options.maxPaymentEventBytes,
          schema: { hide: true },
          // Before the body is read.
          onRequest: async (request, reply) => takeOrThrow(rates.paymentEvents, request, reply),
        },
        async ({ body = Buffer.alloc(0), headers }, reply) => {
          try {
            await deps.billing.handle(provider, body, headers)
          } catch (error) {
            const mapped = toMayflyError(error)
            // A provider that is not configured here is not an error.
            if (catalog[mapped.code].status !== catalog.not_found.status)
              logFailure(mapped.cause ?? mapped, mapped.code)
            return sendProblem(reply, mapped)
          }
          return reply.status(200).send()
        },
      )
    }
  })
}
