import { parseArgs } from 'node:util'
import { createInbox } from '#client/index.ts'
import { callService, checkUrl } from './call-service.ts'
import { type Command, UsageError } from './command.ts'
import { saveInbox } from './saved-inboxes.ts'

export const newInbox: Command = {
  usage: 'new [LOGIN] [--domain DOMAIN] [--ten-minutes] [--url URL] [--json]',
  about: 'Create an address and print it',
  async run({ args, print, siteUrl }) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        domain: { type: 'string' },
        'ten-minutes': { type: 'boolean', default: false },
        url: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const [login, ...more] = positionals
    if (more.length > 0) throw new UsageError(`Usage: mayfly ${this.usage}`)
    const url = values.url ?? siteUrl
    checkUrl(url)
    const inbox = await callService(url, 'Start one with mayfly start, or name another with --url', () =>
      createInbox({
        url,
        ...(login === undefined ? {} : { login }),
        ...(values.domain === undefined ? {} : { domain: values.domain }),
        lifetime: values['ten-minutes'] ? 'ten-minutes' : 'day',
      }),
    )
    const { address, secret } = inbox
    await saveInbox({ address, secret, url })
    print(values.json ? JSON.stringify({ address, secret, page: inbox.url }) : address)
  },
}
