import { hasCode } from '#core/errors.ts'
import { mailboxText } from '#core/mailbox/message.ts'
import { PREMIUM_MARK } from '#core/operating/support.ts'
import { withoutSeparator } from './arguments.ts'
import { type Command, type CommandServices, replaceControls, UsageError } from './command.ts'

type Mailbox = NonNullable<Awaited<ReturnType<CommandServices['addresses']['open']>>>

/** Returns the main headers and the decoded text of a message. */
async function decodedMessage({ messages }: CommandServices, mailbox: Mailbox, id: string): Promise<string> {
  const { summary, content } = await messages.read(mailbox, id)
  const replyTo = content.headers.filter(({ name }) => name.toLowerCase() === 'reply-to').map(({ value }) => value)
  const head = {
    From: mailboxText(summary.from),
    'Reply-To': replyTo.join(', '),
    To: summary.to,
    Date: new Date(summary.receivedAt).toISOString(),
    Subject: summary.subject,
  }
  const lines = Object.entries(head).flatMap(([name, value]) =>
    value === '' ? [] : `${name}: ${value.replace(/\s+/g, ' ')}`,
  )
  return replaceControls(`${lines.join('\n')}\n\n${content.text ?? ''}`)
}

/**
 * Returns the lines of the list: id, time, recipient, sender, size in bytes, subject. Messages of subscribers come first,
 * marked `premium`. Both parts are sorted newest first.
 */
async function listLines({ messages, support }: CommandServices, mailbox: Mailbox): Promise<string[]> {
  const prioritized: string[] = []
  const others: string[] = []
  let before: string | undefined
  do {
    const page = await messages.list(mailbox, { before })
    for (const { id, receivedAt, from, to, size, subject } of page.messages) {
      const columns = [id, new Date(receivedAt).toISOString(), to, from.address, String(size), subject]
      // Anyone can write the mark into a subject, so the headers decide.
      const isMarked = subject.startsWith(PREMIUM_MARK)
      const hasPriority = isMarked && support.hasPriority((await messages.read(mailbox, id)).content.headers)
      if (hasPriority) prioritized.push([...columns, 'premium'].join('\t'))
      else others.push(columns.join('\t'))
    }
    before = page.next ?? undefined
  } while (before !== undefined)
  return [...prioritized, ...others]
}

/** Deletes messages. Throws at the end if some did not exist, so that a repetition deletes the others. */
async function removeAll({ messages }: CommandServices, mailbox: Mailbox, ids: readonly string[]): Promise<void> {
  const wanted = new Set(ids)
  const missing: string[] = []
  for (const id of wanted)
    try {
      await messages.remove(mailbox, id)
    } catch (error) {
      if (!hasCode(error, 'message_not_found')) throw error
      missing.push(id)
    }
  if (missing.length === 0) return
  const what = missing.length === 1 ? 'This message does' : 'These messages do'
  const others = missing.length < wanted.size ? '. The others were deleted' : ''
  throw new Error(`${what} not exist: ${missing.join(', ')}${others}`)
}

export const operatorMail: Command = {
  usage: 'operator-mail [ID] [--text] | delete ID...',
  about:
    'List the operator mailbox (postmaster@, abuse@, forms; subscribers first), print one message, raw or decoded, or delete messages',
  async run({ args, print, open }) {
    const decoded = args.includes('--text')
    const [first, ...rest] = withoutSeparator(args).filter((arg) => arg !== '--text')
    const deletes = first === 'delete'
    const [id, ...more] = deletes ? rest : [first, ...rest]
    const fits = deletes ? id !== undefined && !decoded : more.length === 0 && (id !== undefined || !decoded)
    if (!fits || [id, ...more].some((each) => each?.startsWith('-')))
      throw new UsageError(`Usage: mayfly ${this.usage}`)
    const services = await open()
    try {
      const mailbox = await services.addresses.open(services.operatorSecret)
      if (!mailbox) throw new Error('The operator mailbox does not exist')
      if (deletes) {
        await removeAll(services, mailbox, rest)
        return
      }
      if (id !== undefined) {
        const raw = async () => replaceControls(Buffer.from(await services.messages.raw(mailbox, id)).toString())
        print(decoded ? await decodedMessage(services, mailbox, id) : await raw())
        return
      }
      for (const line of await listLines(services, mailbox)) print(line)
    } finally {
      await services.close()
    }
  },
}
