import { useCallback, useEffect, useState } from 'react'
import { useAttempt } from './use-attempt.ts'

/** What a call answers: asked once the page is there, and again with `load`; null until then. */
export function useLoaded<T>(read: () => Promise<T>) {
  const { busy, problem, attempt } = useAttempt()
  const [loaded, setLoaded] = useState<T | null>(null)
  const load = useCallback(async () => setLoaded(await read()), [read])
  useEffect(() => void attempt(load), [attempt, load])
  return { loaded, load, busy, problem, attempt }
}
