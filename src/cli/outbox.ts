import { type Command, UsageError } from './command.ts'
import { harmless } from './harmless.ts'

export const outbox: Command = {
  usage: 'outbox [FILE] [--text]',
  about: 'List the mails that would have gone out where no relay is set, or print one as it is, or decoded',
  async run({ args, print, open }) {
    const decoded = args.includes('--text')
    const [file, ...more] = args.filter((arg) => arg !== '--text')
    if (more.length > 0 || file?.startsWith('-') || (decoded && file === undefined))
      throw new UsageError(`Usage: mayfly ${this.usage}`)
    const services = await open()
    try {
      const { list, source, text } = services.outbox
      if (file === undefined) {
        for await (const each of list()) {
          const columns = [each.at, each.to, each.kind, each.subject, each.file]
          print(columns.map((column) => harmless(column).replaceAll('\t', ' ')).join('\t'))
        }
        return
      }
      const mail = await (decoded ? text(file) : source(file))
      if (mail === undefined) throw new Error(`The outbox has no ${JSON.stringify(file)}`)
      print(harmless(mail))
    } finally {
      await services.close()
    }
  },
}
