import type { MessageListJson, MessageSummaryJson } from '#contract/messages.ts'
import { call, json, TIMEOUT } from '../../api/api.ts'
import { withRetries } from '../../api/retries.ts'
import { rowHas } from './search.ts'

/** What the server has found for a query. */
interface Found {
  ids: Set<string>
  /** The newest message that the list had. Newer ones are searched later. */
  newest: string
  /** Cursor of the messages that are not searched yet; null if all are. */
  next: string | null | undefined
}

interface Listed {
  messages: readonly MessageSummaryJson[]
  /** Cursor of the older messages; null if all are loaded. */
  next: string | null
}

type Ask = (query: Record<string, string>, signal: AbortSignal) => Promise<MessageListJson>

const askServer: Ask = (query, signal) =>
  withRetries(
    () =>
      json(
        call('GET', `/messages?${new URLSearchParams(query)}`, undefined, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
        }),
      ),
    { signal },
  )

/** The longest condition that the API takes. */
const LONGEST = 200

/**
 * Lets the server search the whole texts of messages, of which the rows have only the beginning. It reads all messages, so
 * it is never asked twice.
 */
export function createTextSearch(ask: Ask = askServer) {
  const known = new Map<string, Found>()

  return {
    /** Whether the server has found these words in a message. */
    has: (id: string, words: readonly string[]): boolean => known.get(words.join(' '))?.ids.has(id) ?? false,

    /** Searches what is not known yet, unless all rows have the words. Rejects if `signal` aborts. */
    async run(
      words: readonly string[],
      { messages, next: older }: Listed,
      { signal, onFound }: { signal: AbortSignal; onFound: () => void },
    ): Promise<void> {
      if (older === null && messages.every((message) => words.every(rowHas(message)))) return
      const newest = messages[0]?.id ?? ''
      const query = words.join(' ')
      const found = known.get(query) ?? { ids: new Set(), newest, next: undefined }
      known.set(query, found)
      /** Searches from a cursor on. Resolves to the next one. */
      const page = async (range: Record<string, string>, before: string | null | undefined): Promise<string | null> => {
        const condition = { words: query.slice(0, LONGEST).toWellFormed(), ...range }
        const result = await ask(before ? { ...condition, before } : condition, signal)
        for (const { id } of result.messages) found.ids.add(id)
        if (result.messages.length > 0) onFound()
        return result.next
      }
      while (found.next !== null) found.next = await page({}, found.next)
      if (newest <= found.newest) return
      let before: string | null | undefined
      do before = await page({ after: found.newest }, before)
      while (before !== null)
      found.newest = newest
    },
  }
}

export type TextSearch = ReturnType<typeof createTextSearch>
