import { type Command, UsageError } from './command.ts'

export const stats: Command = {
  usage: 'stats',
  about: 'Count addresses, messages and bytes',
  async run({ args, print, open }) {
    if (args.length > 0) throw new UsageError(`Usage: mayfly ${this.usage}`)
    const services = await open()
    try {
      const { addresses, names, messages, bytes, fileBytes } = await services.stats()
      const rows = {
        'Live addresses': addresses,
        'Names used or reserved': names,
        Messages: messages,
        'Bytes of mail': bytes,
        'Bytes on disk': fileBytes,
      }
      for (const [label, value] of Object.entries(rows)) print(`${label.padEnd(23)}${value}`)
    } finally {
      await services.close()
    }
  },
}
