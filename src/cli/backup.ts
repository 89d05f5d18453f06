import type { BackupContent } from '#core/operating/backup.ts'
import { type Command, UsageError } from './command.ts'

/** The one argument of a command that takes a file. */
export function fileArgument([file, ...more]: readonly string[], usage: string): string {
  if (file === undefined || file === '' || file.startsWith('-') || more.length > 0)
    throw new UsageError(`Usage: mayfly ${usage}`)
  return file
}

/** How much is in a backup, in words. */
export const amountOf = ({ bytes, addresses, messages }: BackupContent): string =>
  `${(bytes / 1e6).toFixed(1)} MB, live addresses: ${addresses}, messages: ${messages}`

export const backup: Command = {
  usage: 'backup FILE',
  about: 'Copy the database into a new file, also while the service runs, and check the copy',
  async run({ args, print, backup: copy }) {
    const file = fileArgument(args, this.usage)
    const done = await copy(file)
    print(`Wrote ${file} and checked it: ${amountOf(done)}, in ${(done.milliseconds / 1000).toFixed(1)} s.`)
    print(
      `The service key is not in it. It is in ${done.keyPlace}: keep a copy of it, in another place than the backups.`,
    )
  },
}
