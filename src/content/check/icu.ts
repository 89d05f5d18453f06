import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { PLACEHOLDER, proseOf } from './passage.ts'

/** Parses an ICU message. Throws if it is invalid. */
export const parseMessage = (text: string): MessageFormatElement[] => parse(text, { ignoreTag: true })

interface Argument {
  name: string
  type: string
  /** The branches of a plural or select. */
  branches: string[]
}

/** Returns the arguments of a message in reading order, including those in branches. */
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

/** Returns the text of a message for each branch, with a hole for each argument. */
export function variantsOf(elements: MessageFormatElement[]): string[] {
  const branches = ['other', ...argumentsOf(elements).flatMap((argument) => argument.branches)]
  return [...new Set(branches.map((branch) => proseOf(textIn(elements, branch))))]
}

/** Returns the text of a message in a branch, or in `other` if there is no such branch. */
export function textIn(elements: MessageFormatElement[], branch = 'other'): string {
  return elements
    .map((element) => {
      if (element.type === TYPE.literal) return element.value
      if (element.type !== TYPE.plural && element.type !== TYPE.select) return PLACEHOLDER
      return textIn((element.options[branch] ?? element.options.other)?.value ?? [], branch)
    })
    .join('')
}
