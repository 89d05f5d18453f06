import type { MessageListJson, MessageSummaryJson } from '#contract/messages.ts'
import { call, json, TIMEOUT } from '../../api/api.ts'
import { withRetries } from '../../api/retries.ts'
import { wordPattern } from './search-pattern.ts'
import { isOf, type Kind, rowHas } from './search.ts'

/** A search of the server for a word. */
interface Found {
  ids: Set<string>
  /** The newest message that the list had. Newer ones are searched later. */
  newest: string
  /** Cursor of the messages that are not searched yet; null if all are. */
  next: string | null | undefined
}

export interface TextQuery {
  words: readonly string[]
  kinds: ReadonlySet<Kind>
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

/**
 * Searches the whole texts of messages, of which the rows have only the beginning. The server reads all messages for each
 * word, so it is asked only for words that may make a difference, and never twice.
 */
export function createTextSearch(ask: Ask = askServer) {
  const known = new Map<string, Found>()

  const has = (id: string, word: string): boolean => known.get(word)?.ids.has(id) ?? false

  /** Whether a message that lacks the word in its row may have all words. */
  const isNeeded = (word: string, { words, kinds, messages, next }: TextQuery): boolean =>
    next !== null ||
    messages.some((message) => {
      const inRow = rowHas(message)
      if (inRow(word) || !isOf(message, kinds)) return false
      return words.every(
        (each) => inRow(each) || each === word || known.get(each)?.next !== null || has(message.id, each),
      )
    })

  async function find(word: string, newest: string, signal: AbortSignal, onFound: () => void): Promise<void> {
    const body = wordPattern(word)
    const found = known.get(word) ?? { ids: new Set(), newest, next: undefined }
    known.set(word, found)
    /** Searches from a cursor on. Resolves to the next one. */
    const page = async (query: Record<string, string>, before: string | null | undefined): Promise<string | null> => {
      const { messages, next } = await ask({ body, ...query, ...(before ? { before } : {}) }, signal)
      for (const { id } of messages) found.ids.add(id)
      if (messages.length > 0) onFound()
      return next
    }
    while (found.next !== null) found.next = await page({}, found.next)
    if (newest <= found.newest) return
    let before: string | null | undefined
    do before = await page({ after: found.newest }, before)
    while (before !== null)
    found.newest = newest
  }

  return {
    /** Whether the search has found a word in the text of a message. */
    has,

    /** Searches what is not known yet, one word after the other. `now` returns the current query. Rejects if `signal` aborts. */
    async run(now: () => TextQuery, { signal, onFound }: { signal: AbortSignal; onFound: () => void }): Promise<void> {
      // Long words are in few messages, of which the others may need no search.
      for (const word of now().words.toSorted((a, b) => b.length - a.length)) {
        const query = now()
        if (isNeeded(word, query)) await find(word, query.messages[0]?.id ?? '', signal, onFound)
      }
    },
  }
}

export type TextSearch = ReturnType<typeof createTextSearch>
