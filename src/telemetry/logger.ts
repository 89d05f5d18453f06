import { type Level, pino } from 'pino'
import type { Logger } from '#core/telemetry.ts'
import { createLogFile } from './log-file.ts'

/**
 * Logs JSON lines to standard error, because standard output belongs to the command. Nothing personal is logged: use
 * cases log counts and kinds, never addresses, subjects, bodies, codes, secrets or IP addresses of clients.
 */
export function createLogger(level: Level, file: number | string = 2): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    createLogFile(file),
  )
}
