import type { Routes } from '../../../context.ts'
import { refuseUnknown } from '../../../unknown-calls.ts'
import { parseAsJson, useErrors } from '../shared.ts'
import { accountRoutes } from './accounts.ts'
import { showError } from './errors.ts'
import { eventRoutes } from './events.ts'
import { messageRoutes } from './messages.ts'

/** The API of mail.tm (https://docs.mail.tm), which other services have too. */
export const mailTmRoutes: Routes = (app, context) => {
  useErrors(app, context, showError)
  parseAsJson(app, /^application\/(?:[\w.-]+\+)?json/)
  refuseUnknown(app, (reply, error) => showError(reply.request, reply, error))
  accountRoutes(app, context)
  messageRoutes(app, context)
  eventRoutes(app, context)
}
