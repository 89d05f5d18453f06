import { parseArgs } from 'node:util'
import launch from 'open'
import { openInbox } from '#client/index.ts'
import { callService } from './call-service.ts'
import { type Command, UsageError } from './command.ts'
import { RESTART, savedInbox } from './saved-inboxes.ts'

export const open: Command = {
  usage: 'open [ADDRESS] [--print]',
  about: 'Open the inbox of an address that mayfly new created, by default of the newest one, in the browser',
  async run({ args, print }) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { print: { type: 'boolean', default: false } },
    })
    const [address, ...more] = positionals
    if (more.length > 0) throw new UsageError(`Usage: mayfly ${this.usage}`)
    const { secret, url } = await savedInbox(address)
    const inbox = await callService(url, RESTART, () => openInbox(secret, { url }))
    print(inbox.url)
    if (values.print) return
    const browser = await launch(inbox.url)
    // The address is printed, so a computer without a browser needs no other message.
    browser.on('error', () => {})
  },
}
