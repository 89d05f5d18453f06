import { type Command, UsageError } from './command.ts'

/** A terminal would obey them. */
// oxlint-disable-next-line no-control-regex -- they are what is meant
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g

export const operatorMail: Command = {
  usage: 'operator-mail [ID]',
  about: "List the operator's mailbox (postmaster@, abuse@), or print one mail",
  async run({ args, print, open }) {
    const [id, ...more] = args
    if (more.length > 0 || id?.startsWith('-')) throw new UsageError(`Usage: mayfly ${this.usage}`)
    const services = await open()
    try {
      const mailbox = await services.addresses.open(services.operatorSecret)
      if (!mailbox) throw new Error("The operator's mailbox is not there")
      if (id !== undefined) {
        print(
          Buffer.from(await services.messages.raw(mailbox, id))
            .toString()
            .replace(CONTROLS, '\uFFFD'),
        )
        return
      }
      let before: string | undefined
      do {
        // oxlint-disable-next-line no-await-in-loop -- page by page
        const page = await services.messages.list(mailbox, { before })
        for (const { id: message, receivedAt, from, to, subject } of page.messages) {
          print([message, new Date(receivedAt).toISOString(), to, from.address, subject].join('\t'))
        }
        before = page.next ?? undefined
      } while (before !== undefined)
    } finally {
      await services.close()
    }
  },
}
