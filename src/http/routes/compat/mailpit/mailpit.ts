import type { Routes } from '../../../context.ts'
import { refuseUnknown } from '../../../unknown-calls.ts'
import { parseAsJson, useErrors } from '../shared.ts'
import { checkRoutes } from './checks.ts'
import { showError } from './errors.ts'
import { ignoreCaseOfNames } from './go-names.ts'
import { instanceRoutes } from './instance.ts'
import { messageRoutes } from './message.ts'
import { listRoutes } from './messages.ts'

/** The API of Mailpit (https://mailpit.axllent.org/docs/api-v1/). */
export const mailpitRoutes: Routes = (app, context) => {
  useErrors(app, context, showError)
  // Mailpit ignores the type of a body.
  parseAsJson(app, '*')
  ignoreCaseOfNames(app)
  refuseUnknown(app, (reply, error) => showError(reply.request, reply, error))
  listRoutes(app, context)
  messageRoutes(app, context)
  checkRoutes(app, context)
  instanceRoutes(app, context)
}
