import { useEffect, useState } from 'react'
import { usePage } from '../app/page.tsx'
import { useHydrated } from './use-hydrated.ts'

/**
 * The time in milliseconds, updated every `interval` ms. The first render uses the server's time so that hydration
 * matches.
 */
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
