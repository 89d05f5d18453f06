import { readFile } from 'node:fs/promises'
import { type Command, replaceControls, UsageError } from './command.ts'

export const findCode: Command = {
  usage: 'find-code FILE.eml',
  about: 'Show the code and link that are found in a message, and why',
  async run({ args, print, explain }) {
    const [file, ...more] = args
    if (file === undefined || more.length > 0) throw new UsageError(`Usage: mayfly ${this.usage}`)
    for (const line of await explain(await readFile(file))) print(replaceControls(line))
  },
}
