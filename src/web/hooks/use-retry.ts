import { useEffect, useRef } from 'react'
import type { PageProblem } from '../api/api.ts'

/** Milliseconds before the first try. `online` is not fired when the server itself was down. */
const PAUSE = 5000
const LONGEST_PAUSE = 60_000

/** Problems that can be over soon, such as no connection, or a proxy whose server restarts. */
const PASSING: ReadonlySet<string> = new Set([
  'offline',
  'internal',
  'unavailable',
  'store_unavailable',
  'too_many_requests',
])
export const isPassing = (problem: PageProblem | null): boolean => problem !== null && PASSING.has(problem.code)

/**
 * While something has failed, calls `again` when the network is back, when the visitor returns to the page, and in growing
 * intervals while the page is visible.
 */
export function useRetry(failed: boolean, again: () => unknown): void {
  const latest = useRef(again)
  useEffect(() => {
    latest.current = again
  })
  const pause = useRef(PAUSE)
  useEffect(() => {
    if (!failed) return undefined
    const work = (): void => {
      if (!document.hidden) latest.current()
    }
    const timer = setInterval(work, pause.current)
    pause.current = Math.min(LONGEST_PAUSE, 2 * pause.current)
    addEventListener('online', work)
    document.addEventListener('visibilitychange', work)
    return () => {
      clearInterval(timer)
      removeEventListener('online', work)
      document.removeEventListener('visibilitychange', work)
    }
  }, [failed])
}
