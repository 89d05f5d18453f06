import type { Attachment, MessageContent, MessageSummary } from '#core/message.ts'
import type { AddressView, OpenAddress } from './addresses.ts'

export interface MessageQuery {
  /** Only messages that arrived after this one. */
  after?: string | undefined
  /** Only messages that arrived before this one (paging). */
  before?: string | undefined
  /** Case-insensitive parts of the sender (name or address) and of the subject. */
  from?: string | undefined
  subject?: string | undefined
}

export interface MessagePage {
  messages: MessageSummary[]
  /** The id to pass as `before` for the next page, null on the last one. */
  next: string | null
}

/** What a watcher missed since a revision. `address` is undefined where the address has ended. */
export interface ChangesView {
  messages: { revision: number; summary: MessageSummary }[]
  deleted: { revision: number; id: string }[]
  address: AddressView | undefined
}

export interface Messages {
  list(open: OpenAddress, query: MessageQuery): Promise<MessagePage>
  /** Like `list`, but an empty page is held back until a matching message is there, `seconds` are over or `signal` aborts. */
  wait(open: OpenAddress, query: MessageQuery, seconds: number, signal: AbortSignal): Promise<MessagePage>
  /** The summary; throws `message_not_found`. */
  find(open: OpenAddress, id: string): Promise<MessageSummary>
  /** Throws `message_not_found`. `remote` allows remote content through the service's proxy. */
  read(open: OpenAddress, id: string, options?: { remote?: boolean }): Promise<{ summary: MessageSummary; content: MessageContent }>
  setSeen(open: OpenAddress, id: string, seen: boolean): Promise<MessageSummary>
  remove(open: OpenAddress, id: string): Promise<void>
  /** The mail as received, with Return-Path and Received (RFC 5322). */
  raw(open: OpenAddress, id: string): Promise<Uint8Array>
  /** Throws `message_not_found`, `attachment_not_found`. */
  attachment(open: OpenAddress, id: string, index: number): Promise<Attachment>
  changes(open: OpenAddress, sinceRevision: number): Promise<ChangesView>
  /** Calls `listener` whenever the inbox may have changed; answers a function that ends it. */
  watch(open: OpenAddress, listener: () => void): () => void
}
