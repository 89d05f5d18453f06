import { useCallback, useEffect, useRef, useState } from 'react'
import { keepTrying } from '../api/retries.ts'
import { useAttempt } from './use-attempt.ts'

/**
 * The result of a call, made after mounting and again by `load`; null until then. While its problem can be over soon, the call
 * is repeated until it succeeds. `again` repeats it at once, with its problem.
 */
export function useLoaded<T>(read: () => Promise<T>) {
  const { busy, problem, attempt, reached } = useAttempt()
  const [loaded, setLoaded] = useState<T | null>(null)
  /** The call that returned what is loaded. */
  const made = useRef<typeof read>(null)
  const load = useCallback(async () => {
    setLoaded(await read())
    made.current = read
  }, [read])
  const again = useCallback(() => attempt(load), [attempt, load])
  const missing = loaded === null
  useEffect(
    () => (missing || made.current !== read ? keepTrying(attempt, load) : undefined),
    [missing, read, attempt, load],
  )
  return { loaded, setLoaded, load, again, busy, problem, attempt, reached }
}
