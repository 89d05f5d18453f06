import { MayflyError, SmtpRefusal, smtpReply } from '#core/errors.ts'
import type { Logger } from '#core/telemetry.ts'

/** Returns the reply to a failed command, with its CRLF; empty to close the connection. Logs unexpected errors. */
export function failureReply(error: unknown, logger: Logger): string {
  // Only stack frames are logged, because the message of an unexpected error may contain an address.
  if (!(error instanceof MayflyError) || error.code === 'internal') {
    const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: '' }
    const frames = stack?.split('\n').filter((line) => /^ +at /.test(line))
    logger.error({ error: name, stack: frames }, 'Unexpected error in an SMTP session')
  }
  const reply = smtpReply(error)
  return reply && `${reply}\r\n`
}

/** Whether a message was not stored through a temporary fault of this service (RFC 3463: status 4.3). */
export const isOurFault = (error: unknown): boolean =>
  !(error instanceof SmtpRefusal) && /^\d+ 4\.3\./.test(smtpReply(error))
