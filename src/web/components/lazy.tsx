import { type ComponentType, lazy, type LazyExoticComponent, Suspense, useEffect, useState } from 'react'
import { usePage } from '../app/page.tsx'
import { fileLoader } from '../hooks/load-file.ts'

/** Milliseconds before a part that could not be loaded is tried again. Doubled each time. */
const RETRY = 5000

/** The properties that all dialogs have. */
interface Closable {
  onClose?: () => void
}

/**
 * Loads a rarely used component on demand, and shows nothing until then. If its file cannot be loaded, the page says that
 * there is no connection, and stays usable. A dialog is closed, so that the next press loads it again. Other components are
 * loaded again when the server is reachable. Browsers that cache a failed import reload the page instead.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loadPart = fileLoader(load)
  // React keeps the result of a lazy component, also that of a failure.
  const start = (): LazyExoticComponent<ComponentType<Props>> =>
    lazy(async () => ({ default: await loadPart().catch(missing) }))
  let newest = start()
  let pause = RETRY

  /** Makes a new component for each failure. React would reuse one that it has already mounted, without running its effect. */
  const missing = (): ComponentType<Props & Closable> => {
    const Next = start()
    return function Missing(props) {
      const { offline, missed, reached } = usePage()
      const { onClose } = props
      const [told, setTold] = useState(false)
      useEffect(() => {
        newest = Next
        missed()
        setTold(true)
        onClose?.()
        const timer = setTimeout(reached, pause)
        pause *= 2
        return () => clearTimeout(timer)
      }, [missed, reached, onClose])
      return told && !offline ? <Next {...props} /> : null
    }
  }

  return function OnDemand(props: Props) {
    const [Part] = useState(() => newest)
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    )
  }
}
