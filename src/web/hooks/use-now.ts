import { useEffect, useState } from 'react'
import { usePage } from '../app/page.tsx'
import { useHydrated } from './use-hydrated.ts'

/** The time in milliseconds, again each `interval`. The first render has the server's, for it must be the same. */
export function useNow(interval: number): number {
  const { payload } = usePage()
  const hydrated = useHydrated()
  const [now, setNow] = useState(hydrated ? Date.now : payload.renderedAt)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), interval)
    return () => clearInterval(timer)
  }, [interval])
  return now
}
