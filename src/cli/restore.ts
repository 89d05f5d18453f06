import { fileArgument } from './arguments.ts'
import { amountOf } from './backup.ts'
import type { Command } from './command.ts'

export const restore: Command = {
  usage: 'restore FILE',
  about: 'Copy a backup into an empty data directory; the service must be stopped',
  async run({ args, print, restore: copy }) {
    const file = fileArgument(args, this.usage)
    print(`Restored ${file}: ${amountOf(await copy(file))}.`)
    print(
      'Start the service now. Messages and addresses that were deleted after the backup are back until they expire.',
    )
  },
}
