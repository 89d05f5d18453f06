import type { Messages } from './keys.ts'

/** Checks that interface texts quoted in the source occur in the text as in the interface of the language. */
export function checkQuoted(text: string, source: string, messages: Messages, sourceMessages: Messages): string[] {
  const quoted = [...source.matchAll(/["“](?<words>[^"“”]+)["”]/g)].map((match) => match.groups?.words ?? '')
  return [...new Set(quoted)].flatMap((words) => {
    const keys = Object.keys(sourceMessages).filter((key) => sourceMessages[key] === words)
    const own = [...new Set(keys.flatMap((key) => messages[key] ?? []))]
    if (own.length === 0 || own.some((each) => plain(text).includes(plain(each)))) return []
    return [`quotes "${words}", but does not contain the text of the interface: ${own.join(' or ')}`]
  })
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll('\u200b', '')
