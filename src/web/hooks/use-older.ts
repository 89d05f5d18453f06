import { useEffect } from 'react'
import { keepTrying } from '../api/retries.ts'
import type { Inbox } from './use-inbox.ts'

/** Loads older messages, one batch after the other, as long as they are wanted and there are any. */
export function useOlder({ attempt, older, next }: Pick<Inbox, 'attempt' | 'older' | 'next'>, wanted: boolean): void {
  const from = wanted ? next : null
  useEffect(
    () => (from === null ? undefined : keepTrying(attempt, older)),
    // oxlint-disable-next-line react/exhaustive-deps -- `older` differs in each render, and loads from `next`
    [from, attempt],
  )
}
