import { readFile } from 'node:fs/promises'
import { fileArgument } from './arguments.ts'
import { type Command, replaceControls } from './command.ts'

export const findCode: Command = {
  usage: 'find-code FILE.eml',
  about: 'Show the code and link that are found in a message, and why',
  async run({ args, print, explain }) {
    const file = fileArgument(args, this.usage)
    for (const line of await explain(await readFile(file))) print(replaceControls(line))
  },
}
