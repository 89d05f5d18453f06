import { MayflyError } from '#core/errors.ts'
import type { RouteContext, Routes } from '../../../context.ts'
import { NEWEST_MAX } from '../shared.ts'
import { mailboxOpener } from './session.ts'

const hide = true
const OFF = { Enabled: false, SMTPServer: '', ReturnPath: '', OverrideFrom: '', PreserveMessageIDs: false }

/** Calls of Mailpit that have no counterpart here, and why. */
const REFUSED = {
  'POST /api/v1/message/:id/release': 'Messages cannot be released: this service never sends them on',
  'GET /api/v1/message/:id/part/:part/thumb': 'Thumbnails are not supported; get the part itself',
  'PUT /api/v1/tags': 'Tags are not supported',
  'PUT /api/v1/tags/:tag': 'Tags are not supported',
  'DELETE /api/v1/tags/:tag': 'Tags are not supported',
  'GET /api/v1/chaos': 'Chaos is not enabled',
  'PUT /api/v1/chaos': 'Chaos is not enabled',
}

/** Calls about the service itself. Values without a counterpart, such as memory and uptime, are left out. */
export const instanceRoutes: Routes = (app, context: RouteContext) => {
  const { deps, options } = context
  const openMailbox = mailboxOpener(context)

  app.get('/api/v1/info', { schema: { hide } }, async (request) => {
    const { open } = await openMailbox(request)
    const [all, { storage }] = await Promise.all([deps.messages.newest(open, NEWEST_MAX), deps.addresses.view(open)])
    return {
      Version: 'mayfly',
      LatestVersion: 'mayfly',
      Database: '',
      DatabaseSize: storage.usedBytes,
      Messages: all.length,
      Unread: all.filter(({ seen }) => !seen).length,
      Tags: {},
    }
  })

  app.get('/api/v1/webui', { schema: { hide } }, async (request) => {
    await openMailbox(request)
    return {
      Label: 'Mayfly',
      MessageRelay: { ...OFF, AllowedRecipients: '', BlockedRecipients: '', RecipientAllowlist: '' },
      SpamAssassin: options.hasSpamFilter,
      ChaosEnabled: false,
      DuplicatesIgnored: false,
      HideDeleteAllButton: false,
    }
  })

  app.get('/api/v1/tags', { schema: { hide } }, async (request) => {
    await openMailbox(request)
    return []
  })

  // Mailpit reports errors of this call as JSON.
  app.post('/api/v1/send', { schema: { hide } }, async (request, reply) => {
    await openMailbox(request)
    return reply.status(400).send({ Error: 'Messages cannot be sent here; send them to the SMTP port' })
  })

  for (const [call, reason] of Object.entries(REFUSED)) {
    const [method = '', url = ''] = call.split(' ')
    app.route({
      method,
      url,
      schema: { hide },
      handler: async (request) => {
        await openMailbox(request)
        throw new MayflyError('invalid_request', reason)
      },
    })
  }
}
