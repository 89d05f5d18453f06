import { useEffect, useState } from 'react'
import { serverNow } from '../app/clock.ts'
import { usePage } from '../app/page.tsx'
import { useHydrated } from './use-hydrated.ts'

/**
 * The server's time in milliseconds, updated every `interval` ms. The first render uses the time of the server's one so
 * that hydration matches.
 */
export function useNow(interval: number): number {
  const { payload } = usePage()
  const hydrated = useHydrated()
  const [now, setNow] = useState(hydrated ? serverNow : payload.renderedAt)
  useEffect(() => {
    const update = (): void => setNow(serverNow())
    update()
    const timer = setInterval(update, interval)
    return () => clearInterval(timer)
  }, [interval])
  return now
}
