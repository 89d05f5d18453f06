import { followInbox, type Source } from '../../src/web/hooks/live-stream.ts'
import type { ApiClient } from '../support/program/api.ts'
import { TestEventSource } from './event-source.ts'

/** A page that is left open. */
export interface Visitor {
  address: string
  secret: string
  /** The ids of the messages that it shows. */
  shown: Set<string>
  live: boolean
  /** The node that its stream is on. */
  node: number
  /** How often the stream was begun. */
  begun: number
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
  const visitor: Visitor = { address, secret, shown: new Set(), live: false, node: -1, begun: 0, close: () => {} }
  function origin(): string {
    visitor.node = (first + visitor.begun++) % nodes.length
    return nodes[visitor.node]?.url ?? ''
  }
  visitor.close = followInbox({
    revision: 0,
    dispatch(event) {
      if (event.type === 'message') visitor.shown.add(event.message.id)
      if (event.type === 'deleted') visitor.shown.delete(event.id)
      if (event.type === 'status') visitor.live = event.status === 'live'
    },
    onEnd() {},
    open: (path) => new TestEventSource(path, { origin, secret }) as unknown as Source,
  })
  return visitor
}
