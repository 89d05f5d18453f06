import { followInbox, type Source } from '../../src/web/hooks/live-stream.ts'
import type { ApiClient } from '../support/program/api.ts'
import { TestEventSource } from './event-source.ts'

/** A page that stays open. */
export interface Visitor {
  address: string
  secret: string
  /** The ids of the messages that it shows. */
  shown: Set<string>
  live: boolean
  /** The node of its stream. */
  node: number
  /** How often the stream was opened. */
  begun: number
  close(): void
}

/**
 * Follows an inbox with the code of the page. The stream starts on one node. Each reconnect goes to the next node, as
 * behind a load balancer.
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
