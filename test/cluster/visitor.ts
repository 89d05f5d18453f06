import { followInbox, type Source } from '../../src/web/hooks/live-stream.ts'
import type { ApiClient } from '../api.ts'
import { TestEventSource } from './event-source.ts'

/** A page that is left open. */
export interface Visitor {
  address: string
  /** The ids of the messages that it shows. */
  shown: Set<string>
  close(): void
}

/**
 * Follows an inbox with the code of the page. The stream is at first on one node; whenever it is opened again it is on the next,
 * as behind a load balancer.
 */
export function visit(
  nodes: readonly { url: string }[],
  first: number,
  { address, secret }: Pick<ApiClient, 'address' | 'secret'>,
): Visitor {
  const shown = new Set<string>()
  let turn = first
  const origin = (): string => nodes[turn++ % nodes.length]?.url ?? ''
  const close = followInbox({
    revision: 0,
    dispatch(event) {
      if (event.type === 'message') shown.add(event.message.id)
      if (event.type === 'deleted') shown.delete(event.id)
    },
    onEnd() {},
    open: (path) => new TestEventSource(path, { origin, secret }) as unknown as Source,
  })
  return { address, shown, close }
}
