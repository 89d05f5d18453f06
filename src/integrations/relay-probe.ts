import { createTransport } from 'nodemailer'
import type { Probes } from '#core/operating/probes.ts'
import { connectionTo } from './outbound.ts'
import { hostOf } from './pinned-address.ts'

/** Connects to the relay and signs in without sending anything. `timeout` is for all of it, in milliseconds. */
export function relayProbe(options: { url: string; timeout: number }): NonNullable<Probes['relay']> {
  return {
    host: hostOf(new URL(options.url)),
    async verify() {
      const transport = createTransport(connectionTo(options))
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new Error('no answer in time')), options.timeout)
      try {
        await Promise.race([transport.verify(), late.promise])
      } finally {
        clearTimeout(timer)
        transport.close()
      }
    },
  }
}
