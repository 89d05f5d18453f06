import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { hasWord, searchWords } from '#core/text.ts'
import type { ListedInbox, ListView } from './list-view.ts'
import { createTextSearch, type TextSearch } from './search-texts.ts'
import { type Kind, matches } from './search.ts'

/** Milliseconds without a key press before the server is asked. */
const PAUSE = 400

interface Search {
  /** Whether the search field is open. */
  open: boolean
  query: string
  kinds: ReadonlySet<Kind>
}

/** The last search of this page, and the messages that it was for. It continues if one of them is listed again. */
let last: { search: Search; texts: TextSearch; ids: ReadonlySet<string> } | undefined

const CLOSED: Search = { open: false, query: '', kinds: new Set() }

/** The search of the list. It stays when a message is opened and the visitor returns, until it is closed. */
export function useSearch(inbox: ListedInbox, onView: (change: Partial<ListView>) => void) {
  const { messages, next, textOf } = inbox
  const [before] = useState(() => (messages.some(({ id }) => last?.ids.has(id)) ? last : undefined))
  const [search, setSearch] = useState(before?.search ?? CLOSED)
  const [texts] = useState(() => before?.texts ?? createTextSearch())
  /** Increases when the server has found messages. */
  const [found, setFound] = useState(0)
  /** The search that the server has completed. */
  const [done, setDone] = useState('')
  const { query, kinds } = search
  const words = useMemo(() => searchWords(query), [query])
  const ids = useMemo(() => new Set(messages.map(({ id }) => id)), [messages])

  useEffect(() => {
    last = { search, texts, ids }
  }, [search, texts, ids])

  const latest = useRef({ messages, next, textOf })
  useLayoutEffect(() => {
    latest.current = { messages, next, textOf }
  })

  useLayoutEffect(() => {
    const textHas = (id: string): ((word: string) => boolean) =>
      texts.has(id, words) ? () => true : hasWord(latest.current.textOf?.(id) ?? '')
    const filters = words.length > 0 || kinds.size > 0
    onView({ filter: filters ? (message) => matches(message, words, kinds, textHas) : null })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- filters again when the server has found messages
  }, [words, kinds, found, texts, onView])

  // Nothing else shows why messages are missing from the list, and which ones are selected.
  useEffect(() => () => onView({ filter: null, selected: null }), [onView])

  // The server can't read the messages of a fully private address.
  const asked = textOf ? '' : words.join(' ')
  const current = `${asked} ${messages[0]?.id}`
  const busy = asked !== '' && done !== current
  useEffect(() => {
    if (!busy) return undefined
    const stopped = new AbortController()
    const { signal } = stopped
    const timer = setTimeout(async () => {
      const { messages: listed } = latest.current
      // If the server can't be asked, the rows are searched alone.
      await texts.run(words, latest.current, { signal, onFound: () => setFound((count) => count + 1) }).catch(() => {})
      // If messages have arrived meanwhile, they are searched next.
      if (!signal.aborted) setDone(`${asked} ${listed[0]?.id}`)
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs again after messages that arrived meanwhile
  }, [busy, words, asked, done, texts])

  return { search, setSearch, close: () => setSearch(CLOSED), busy }
}
