import { useCallback, useEffect, useRef, useState } from 'react'
import { type PageProblem, problemOf } from '../api/api.ts'
import { usePage } from '../app/page.tsx'
import { useOnline } from './use-online.ts'

/** The problem of the last action, or of the page, `first`. "No connection" disappears when the network is back. */
export function useProblem(first: PageProblem | null = null) {
  const [problem, setProblem] = useState(first)
  useEffect(() => {
    if (first) setProblem(first)
  }, [first])
  /** Called when the server is reachable: "No connection" is no longer true. */
  const reached = useCallback(() => setProblem((now) => (now?.code === 'offline' ? null : now)), [])
  useOnline(reached)
  return { problem, setProblem, reached }
}

/** Runs one action at a time, with its busy state and its problem. */
export function useAttempt(first: PageProblem | null = null) {
  const { refresh, payload } = usePage()
  const [busy, setBusy] = useState(false)
  const { problem, setProblem, reached } = useProblem(first)
  /** Whether the page is being reloaded because of the problem. It then says itself what is wrong. */
  const reloads = useRef(false)
  useEffect(() => {
    if (reloads.current) setProblem(first)
    reloads.current = false
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs once per payload
  }, [payload, first, setProblem])
  /** Resolves to whether the action succeeded. */
  const attempt = useCallback(
    async (work: () => Promise<unknown>): Promise<boolean> => {
      setBusy(true)
      try {
        await work()
        setProblem(null)
        return true
      } catch (error) {
        const failed = problemOf(error)
        setProblem(failed)
        // Another window signed out or opened another address. The reloaded page shows it, and says that the visitor was
        // signed out. Not awaited, so that a form can keep its input before.
        reloads.current = /not_signed_in|unauthorized/.test(failed.code)
        if (reloads.current) void refresh(failed.code)
        return false
      } finally {
        setBusy(false)
      }
    },
    [refresh, setProblem],
  )
  return { busy, problem, attempt, reached }
}
