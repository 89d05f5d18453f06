import { useEffect, useRef } from 'react'
import type { PageProblem } from '../api/api.ts'

/** Milliseconds between two tries. `online` is not fired when the server itself was down. */
const PAUSE = 5000

/** Whether a problem can be over soon: no connection, or a proxy whose server restarts. */
export const isPassing = (problem: PageProblem | null): boolean =>
  problem?.code === 'offline' || problem?.code === 'internal'

/**
 * While something has failed, calls `again` when the network is back, when the visitor returns to the page, and every few
 * seconds while the page is visible.
 */
export function useRetry(failed: boolean, again: () => unknown): void {
  const latest = useRef(again)
  useEffect(() => {
    latest.current = again
  })
  useEffect(() => {
    if (!failed) return undefined
    const work = (): void => {
      if (!document.hidden) latest.current()
    }
    const timer = setInterval(work, PAUSE)
    addEventListener('online', work)
    document.addEventListener('visibilitychange', work)
    return () => {
      clearInterval(timer)
      removeEventListener('online', work)
      document.removeEventListener('visibilitychange', work)
    }
  }, [failed])
}
