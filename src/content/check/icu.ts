import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { HOLE, proseOf } from './passage.ts'

/** Throws where the text is no ICU message. */
export const parseMessage = (text: string): MessageFormatElement[] => parse(text, { ignoreTag: true })

interface Argument {
  name: string
  type: string
  /** Branches of a plural or select. */
  branches: string[]
}

/** Arguments of a message in reading order, those in branches too. */
export function argumentsOf(elements: MessageFormatElement[]): Argument[] {
  return elements.flatMap((element): Argument[] => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return []
    const own = { name: element.value, type: TYPE[element.type] ?? '', branches: [] }
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [own]
    const { options } = element
    const inner = Object.values(options).flatMap(({ value }) => argumentsOf(value))
    return [{ ...own, branches: Object.keys(options) }, ...inner]
  })
}

/** What the message may say, once for each branch, with a hole for each argument. */
export function variantsOf(elements: MessageFormatElement[]): string[] {
  const branches = ['other', ...argumentsOf(elements).flatMap((argument) => argument.branches)]
  return [...new Set(branches.map((branch) => proseOf(say(elements, branch))))]
}

/** What the message says in a branch, and in `other` where it has none of that name. */
export function say(elements: MessageFormatElement[], branch = 'other'): string {
  return elements
    .map((element) => {
      if (element.type === TYPE.literal) return element.value
      if (element.type !== TYPE.plural && element.type !== TYPE.select) return HOLE
      return say((element.options[branch] ?? element.options.other)?.value ?? [], branch)
    })
    .join('')
}
