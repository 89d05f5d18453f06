import { useSyncExternalStore } from 'react'
import type { MessageSummaryJson } from '#contract/messages.ts'

/** What the bars at the bottom of every page show. It outlives the pages, unlike the state of an inbox. */
interface Bars {
  /** Ids of the messages that this page deletes or has deleted. No list shows them. */
  pending: ReadonlySet<string>
  /** Ids of those whose deletion the visitor can still undo, because no request was sent yet. */
  undoable: readonly string[]
  /** The messages of the visitor's inbox as far as they are known, newest first. */
  messages: readonly MessageSummaryJson[]
  /** Whether the page itself follows the inbox: its address if there is one. */
  followed: string | boolean
  /** The visitor's address; null if there is none, undefined if that is not known yet. */
  address?: string | null
}

let bars: Bars = { pending: new Set(), undoable: [], messages: [], followed: false }
const listeners = new Set<() => void>()

export function setBars(change: Partial<Bars>): void {
  bars = { ...bars, ...change }
  for (const listener of listeners) listener()
}

export const getBars = (): Bars => bars
const empty = bars

export const onBars = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useBars = (): Bars => useSyncExternalStore(onBars, getBars, () => empty)

/** Whether a message has what the visitor came for. */
export const isOffer = ({ code, link }: Pick<MessageSummaryJson, 'code' | 'link'>): boolean =>
  code !== null || link !== null
