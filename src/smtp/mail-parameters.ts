import type { Path } from './commands.ts'
import { replies } from './replies.ts'

/**
 * Checks the parameters of MAIL (RFC 1870, RFC 6152, RFC 6531, and RFC 4954 if AUTH is offered). Returns the reply that
 * refuses them, if any.
 */
export function refuseParameters(
  parameters: Path['parameters'],
  maxMessageBytes: number,
  auth: boolean,
): string | undefined {
  for (const [keyword, value] of parameters) {
    if (keyword === 'SIZE') {
      if (value === true || !/^\d{1,20}$/.test(value)) return replies.badParameter
      if (Number(value) > maxMessageBytes) return replies.tooBig
    } else if (keyword === 'BODY') {
      if (value === true || !/^(?:7BIT|8BITMIME)$/i.test(value)) return replies.badParameter
    } else if (keyword === 'SMTPUTF8') {
      if (value !== true) return replies.badParameter
    } else if (keyword !== 'AUTH' || !auth) {
      return replies.unknownParameter
    }
  }
  return undefined
}
