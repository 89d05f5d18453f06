import { parseArgs } from 'node:util'
import { type Message, openInbox, type WaitOptions } from '#client/index.ts'
import { parseDateTime } from '#core/date-time.ts'
import { mailboxText } from '#core/mailbox/message.ts'
import { callService } from './call-service.ts'
import { type Command, replaceControls, UsageError } from './command.ts'
import { RESTART, savedInbox } from './saved-inboxes.ts'

const TIMEOUT_MAX = 24 * 3600

export const wait: Command = {
  usage:
    'wait ADDRESS [--code | --link | --json] [--subject TEXT] [--from TEXT] [--body TEXT] [--since TIME] [--timeout SECONDS]',
  about: 'Wait for a message to an address that mayfly new created, and print it, its code or its link',
  async run({ args, print }) {
    const range = new UsageError(`--timeout must be seconds from 0 to ${TIMEOUT_MAX}`)
    const timeoutAt = args.indexOf('--timeout')
    // `parseArgs` would take a negative number for an option.
    if (timeoutAt !== -1 && args[timeoutAt + 1]?.startsWith('-')) throw range
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        code: { type: 'boolean', default: false },
        link: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        subject: { type: 'string' },
        from: { type: 'string' },
        body: { type: 'string' },
        since: { type: 'string' },
        timeout: { type: 'string', default: '60' },
      },
    })
    const { code, link, json, timeout, since, ...patterns } = values
    const [address, ...more] = positionals
    if (address === undefined || more.length > 0 || Number(code) + Number(link) + Number(json) > 1)
      throw new UsageError(`Usage: mayfly ${this.usage}`)
    const seconds = Number(timeout)
    if (!(seconds >= 0 && seconds <= TIMEOUT_MAX)) throw range
    if (since !== undefined && parseDateTime(since) === undefined)
      throw new UsageError('--since must be a time such as 2026-01-31T09:00:00Z')
    const { secret, url } = await savedInbox(address)
    const options: WaitOptions = {
      ...Object.fromEntries(Object.entries(patterns).map(([name, query]) => [name, { query }])),
      ...(since === undefined ? {} : { since }),
      timeout: seconds * 1000,
    }
    const text = await callService(url, RESTART, async () => {
      const inbox = await openInbox(secret, { url })
      if (code) return inbox.waitForCode(options)
      if (link) return inbox.waitForLink(options)
      const message = await inbox.waitForMessage(options)
      return json ? JSON.stringify(message, null, 2) : textOf(message)
    })
    print(text)
  },
}

function textOf({ from, to, subject, receivedAt, code, link, text }: Message): string {
  const fields = {
    From: mailboxText(from),
    To: to,
    Subject: subject,
    Received: receivedAt,
    Code: code,
    Link: link,
  }
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value.replace(/[\r\n]+/g, ' ')}`],
  )
  return replaceControls([...lines, '', text ?? ''].join('\n'))
}
