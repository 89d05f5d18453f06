import type { BackupContent } from '#core/operating/backup.ts'
import { fileArgument } from './arguments.ts'
import type { Command } from './command.ts'

/** Describes the content of a backup. */
export const amountOf = ({ bytes, addresses, messages }: BackupContent): string =>
  `${(bytes / 1e6).toFixed(1)} MB, live addresses: ${addresses}, messages: ${messages}`

export const backup: Command = {
  usage: 'backup FILE',
  about: 'Copy the database into a new file and check the copy; the service may be running',
  async run({ args, print, backup: copy }) {
    const file = fileArgument(args, this.usage)
    const done = await copy(file)
    print(`Wrote ${file} and checked it: ${amountOf(done)}, in ${(done.milliseconds / 1000).toFixed(1)} s.`)
    print(
      `The backup does not contain the service key, which is in ${done.keyPlace}. Keep a copy of the key, but not with the backups.`,
    )
  },
}
