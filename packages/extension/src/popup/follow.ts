import type { Inbox, InboxEvent, MessageSummary } from '@mayfly/client'

export interface Follower {
  /** The newest messages. Called again once the stream has begun. */
  listed(messages: MessageSummary[]): void
  happened(event: InboxEvent): void
}

/** Passes on the list of an inbox and what happens in it, until `signal` aborts. */
export async function follow(
  inbox: Pick<Inbox, 'events' | 'messages'>,
  signal: AbortSignal,
  { listed, happened }: Follower,
): Promise<void> {
  const events = inbox.events({ signal })
  const load = async (): Promise<void> => {
    const { messages } = await inbox.messages()
    if (!signal.aborted) listed(messages)
  }
  try {
    await load()
    let isComplete = false
    for await (const event of events) {
      // A stream begins with the address. A message may have arrived after the list was read and before that. A list that
      // can't be read is no reason to end the stream: the next event of this type reads it again.
      if (event.type === 'address' && !isComplete) {
        isComplete = await load().then(
          () => true,
          () => false,
        )
      }
      happened(event)
    }
  } finally {
    await events.return(undefined)
  }
}
