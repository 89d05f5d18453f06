import { amountOf, fileArgument } from './backup.ts'
import type { Command } from './command.ts'

export const restore: Command = {
  usage: 'restore FILE',
  about: 'Put a backup into an empty data directory, with the service stopped',
  async run({ args, print, restore: put }) {
    const file = fileArgument(args, this.usage)
    print(`Restored ${file}: ${amountOf(await put(file))}.`)
    print('Start the service now. What was deleted after the backup was made is there again until it expires.')
  },
}
