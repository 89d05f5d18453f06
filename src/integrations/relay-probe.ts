import { createTransport } from 'nodemailer'
import type { Probes } from '#core/operating/probes.ts'
import { connectionTo } from './outbound.ts'
import { hostOf } from './pinned-address.ts'

/**
 * Connects to the relay and authenticates as for an email, but sends none. `timeout` covers all steps, in milliseconds.
 */
export function relayProbe(options: { url: string; timeout: number }): NonNullable<Probes['relay']> {
  return {
    host: hostOf(new URL(options.url)),
    async verify() {
      const transport = createTransport(connectionTo(options))
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new Error('no response in time')), options.timeout)
      try {
        await Promise.race([transport.verify(), late.promise])
      } catch (error) {
        // nodemailer replaces the code that says what happened by one that says where.
        const { originalCode } = error as { originalCode?: string }
        throw originalCode === undefined ? error : Object.assign(error as Error, { code: originalCode })
      } finally {
        clearTimeout(timer)
        transport.close()
      }
    },
  }
}
