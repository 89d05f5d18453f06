import type { Messages } from './text.tsx'

/** Where the messages of a language are, for one build: one file a language, and no other knows of the languages. */
export const messagesPath = (code: string, buildId: string): string => `/messages/${code}.${buildId}.json`

const loaded = new Map<string, Promise<Messages>>()

/** The messages of a language, fetched once. Throws where they can't be had. */
export function loadMessages(code: string): Promise<Messages> {
  const known = loaded.get(code)
  if (known) return known
  const path = messagesPath(code, document.documentElement.dataset.build ?? '')
  const messages = fetch(path).then((response) => {
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json() as Promise<Messages>
  })
  loaded.set(code, messages)
  messages.catch(() => loaded.delete(code))
  return messages
}
