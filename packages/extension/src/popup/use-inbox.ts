import { MayflyError, type MessageSummary } from '@mayfly/client'
import { useCallback, useEffect, useState } from 'react'
import { ask } from '../state/addresses.ts'
import type { Held } from '../state/state.ts'
import { follow, type Follower } from './follow.ts'

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
    const follower: Follower = {
      listed(list) {
        setMessages(list)
        setStatus('live')
      },
      happened(event) {
        if (event.type === 'deleted') setMessages((list) => list.filter(({ id }) => id !== event.id))
        if (event.type !== 'message') return
        const { message } = event
        setMessages((list) =>
          [message, ...list.filter(({ id }) => id !== message.id)].toSorted((a, b) => (a.id < b.id ? 1 : -1)),
        )
      },
    }
    setMessages([])
    setStatus('connecting')
    ask(held, (inbox) => follow(inbox, signal, follower)).catch((error: unknown) => {
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
