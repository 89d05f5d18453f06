import { useCallback, useEffect, useState } from 'react'
import { useAttempt } from './use-attempt.ts'

/** The result of a call, made after mounting and again by `load`; null until then. */
export function useLoaded<T>(read: () => Promise<T>) {
  const { busy, problem, attempt } = useAttempt()
  const [loaded, setLoaded] = useState<T | null>(null)
  const load = useCallback(async () => setLoaded(await read()), [read])
  useEffect(() => void attempt(load), [attempt, load])
  return { loaded, load, busy, problem, attempt }
}
