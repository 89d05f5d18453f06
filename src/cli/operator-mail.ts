import { PREMIUM_MARK } from '#core/operating/support.ts'
import { type Command, type CommandServices, UsageError } from './command.ts'
import { harmless } from './harmless.ts'

type Mailbox = NonNullable<Awaited<ReturnType<CommandServices['addresses']['open']>>>

/** The mail decoded: what a person wants to know of it, and its text. */
async function readable({ messages }: CommandServices, mailbox: Mailbox, id: string): Promise<string> {
  const { summary, content } = await messages.read(mailbox, id)
  const replyTo = content.headers.filter(({ name }) => name.toLowerCase() === 'reply-to').map(({ value }) => value)
  const head = {
    From: `${summary.from.name} <${summary.from.address}>`.trim(),
    'Reply-To': replyTo.join(', '),
    To: summary.to,
    Date: new Date(summary.receivedAt).toISOString(),
    Subject: summary.subject,
  }
  const lines = Object.entries(head).flatMap(([name, value]) =>
    value === '' ? [] : `${name}: ${value.replace(/\s+/g, ' ')}`,
  )
  return harmless(`${lines.join('\n')}\n\n${content.text ?? ''}`)
}

/** Lines of the list: emails of subscribers before all others, and marked, each newest first. */
async function listed({ messages, support }: CommandServices, mailbox: Mailbox): Promise<string[]> {
  const first: string[] = []
  const others: string[] = []
  let before: string | undefined
  do {
    const page = await messages.list(mailbox, { before })
    for (const { id, receivedAt, from, to, subject } of page.messages) {
      const columns = [id, new Date(receivedAt).toISOString(), to, from.address, subject]
      const says = subject.startsWith(PREMIUM_MARK)
      const isOne = says && support.hasPriority((await messages.read(mailbox, id)).content.headers)
      if (isOne) first.push([...columns, 'premium'].join('\t'))
      else others.push(columns.join('\t'))
    }
    before = page.next ?? undefined
  } while (before !== undefined)
  return [...first, ...others]
}

export const operatorMail: Command = {
  usage: 'operator-mail [ID] [--text]',
  about:
    "List the operator's mailbox (postmaster@, abuse@, forms; subscribers first), or print one mail as it arrived, or decoded",
  async run({ args, print, open }) {
    const decoded = args.includes('--text')
    const [id, ...more] = args.filter((arg) => arg !== '--text')
    if (more.length > 0 || id?.startsWith('-') || (decoded && id === undefined))
      throw new UsageError(`Usage: mayfly ${this.usage}`)
    const services = await open()
    try {
      const mailbox = await services.addresses.open(services.operatorSecret)
      if (!mailbox) throw new Error("The operator's mailbox is not there")
      if (id !== undefined) {
        const source = async () => harmless(Buffer.from(await services.messages.raw(mailbox, id)).toString())
        print(decoded ? await readable(services, mailbox, id) : await source())
        return
      }
      for (const line of await listed(services, mailbox)) print(line)
    } finally {
      await services.close()
    }
  },
}
