import { MayflyError, type MessageSummary } from '@mayfly/client'
import { useCallback, useEffect, useState } from 'react'
import { inboxOf } from '../state/addresses.ts'
import type { Held } from '../state/state.ts'

export interface LiveInbox {
  messages: MessageSummary[]
  status: 'connecting' | 'live' | 'lost' | 'ended'
  change(id: string, change: Partial<MessageSummary> | null): void
}

/** The messages of an address, live while the popup is open. */
export function useInbox(held: Held): LiveInbox {
  const [messages, setMessages] = useState<MessageSummary[]>([])
  const [status, setStatus] = useState<LiveInbox['status']>('connecting')

  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    const follow = async (): Promise<void> => {
      const inbox = await inboxOf(held)
      const events = inbox.events({ signal })
      const load = async (): Promise<void> => {
        const { messages: list } = await inbox.messages()
        if (signal.aborted) return
        setMessages(list)
        setStatus('live')
      }
      await load()
      for await (const event of events) {
        if (event.type === 'deleted') setMessages((list) => list.filter(({ id }) => id !== event.id))
        if (event.type !== 'message') continue
        const { message } = event
        setMessages((list) =>
          [message, ...list.filter(({ id }) => id !== message.id)].toSorted((a, b) => (a.id < b.id ? 1 : -1)),
        )
      }
    }
    setMessages([])
    setStatus('connecting')
    follow().catch((error: unknown) => {
      if (!signal.aborted) setStatus(error instanceof MayflyError && error.status === 401 ? 'ended' : 'lost')
    })
    return () => over.abort()
  }, [held])

  const change = useCallback((id: string, changed: Partial<MessageSummary> | null) => {
    setMessages((list) =>
      changed === null
        ? list.filter((each) => each.id !== id)
        : list.map((each) => (each.id === id ? { ...each, ...changed } : each)),
    )
  }, [])
  return { messages, status, change }
}
