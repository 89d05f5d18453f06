import { withoutSeparator } from './arguments.ts'
import { type Command, replaceControls, UsageError } from './command.ts'

export const outbox: Command = {
  usage: 'outbox [FILE] [--text]',
  about: 'List the emails that were written to files because no relay is set, or print one, raw or decoded',
  async run({ args, print, open }) {
    const decoded = args.includes('--text')
    const [file, ...more] = withoutSeparator(args).filter((arg) => arg !== '--text')
    if (more.length > 0 || file?.startsWith('-') || (decoded && file === undefined))
      throw new UsageError(`Usage: mayfly ${this.usage}`)
    const services = await open()
    try {
      const { list, source, text } = services.outbox
      if (file === undefined) {
        for await (const each of list()) {
          const columns = [each.at, each.to, each.kind, each.subject, each.file]
          print(columns.map((column) => replaceControls(column).replaceAll('\t', ' ')).join('\t'))
        }
        return
      }
      const email = await (decoded ? text(file) : source(file))
      if (email === undefined) throw new Error(`The outbox has no file ${JSON.stringify(file)}`)
      print(replaceControls(email))
    } finally {
      await services.close()
    }
  },
}
