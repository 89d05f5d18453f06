import { useEffect, useState } from 'react'
import { usePage } from '../page.tsx'

/** The time in milliseconds, again each `interval`. Begins with the server's, so that the first render is the same. */
export function useNow(interval: number): number {
  const { payload } = usePage()
  const [now, setNow] = useState(payload.renderedAt)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), interval)
    return () => clearInterval(timer)
  }, [interval])
  return now
}
