import { useCallback, useRef, useState } from 'react'
import { type PageProblem, problemOf } from '../api/api.ts'

/** Runs one action at a time, with its busy state and its problem. */
export function useAttempt(first: PageProblem | null = null) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<PageProblem | null>(first)
  const last = useRef<() => Promise<unknown>>(async () => {})
  /** Resolves to whether the action succeeded. */
  const attempt = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    last.current = work
    setBusy(true)
    try {
      await work()
      setProblem(null)
      return true
    } catch (error) {
      setProblem(problemOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }, [])
  /** Runs the last action again, for example when the time that a limit demands is over. */
  const retry = useCallback(() => attempt(last.current), [attempt])
  /** Called when the server is reachable: "No connection" is no longer true. */
  const reached = useCallback(() => setProblem((now) => (now?.code === 'offline' ? null : now)), [])
  return { busy, problem, attempt, retry, reached }
}
