import { type Command, UsageError } from './command.ts'

export const check: Command = {
  usage: 'check',
  about: 'Check the settings and the files that they name, without opening the database',
  async run({ args, print, checkSettings }) {
    if (args.length > 0) throw new UsageError(`Usage: mayfly ${this.usage}`)
    for (const warning of await checkSettings()) print(`warn ${warning}`)
    print('The settings can be used')
  },
}
