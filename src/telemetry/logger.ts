import { destination, type Level, pino } from 'pino'
import type { Logger } from '#core/telemetry.ts'

/**
 * JSON lines on standard error; standard output belongs to the command. Nothing personal goes in: use cases give counts and
 * kinds, never addresses, subjects, bodies, codes, secrets or the client's IP address.
 */
export function createLogger(level: Level, file: number | string = 2): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ dest: file, sync: true }),
  )
}
