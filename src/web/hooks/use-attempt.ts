import { useCallback, useState } from 'react'
import { type PageProblem, problemOf } from '../api/api.ts'

/** Does what a button asks for, one thing at a time: whether it is at it, and what went wrong. */
export function useAttempt(first: PageProblem | null = null) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<PageProblem | null>(first)
  /** Answers whether it went well. */
  const attempt = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
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
  return { busy, problem, attempt }
}
