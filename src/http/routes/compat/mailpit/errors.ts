import { catalog, type ErrorCode } from '#core/errors.ts'
import type { ShowCompatError } from '../shared.ts'

/** The texts of Mailpit that differ from the titles of the errors. */
const TEXTS: Partial<Record<ErrorCode, string>> = {
  not_found: '404 page not found',
  unauthorized: 'Unauthorised.\n',
}

/** Errors as Mailpit shows them: one line of text. */
export const showError: ShowCompatError = (_request, reply, { code, detail, message }) => {
  const { status } = catalog[code]
  // Clients send credentials only after they were asked for them.
  if (code === 'unauthorized') reply.header('www-authenticate', 'Basic realm="Login", charset="UTF-8"')
  return reply
    .status(status)
    .type('text/plain; charset=utf-8')
    .send(detail ?? TEXTS[code] ?? message)
}
