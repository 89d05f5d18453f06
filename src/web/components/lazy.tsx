import { type ComponentType, lazy, type LazyExoticComponent, useEffect, useState } from 'react'
import { usePage } from '../app/page.tsx'
import { fileLoader } from '../hooks/load-file.ts'

/** The properties that all dialogs have. */
interface Closable {
  onClose?: () => void
}

/**
 * Loads a rarely used component on demand. If its file cannot be loaded, the page says that there is no connection, and
 * stays usable. A dialog is closed, so that the next press loads it again. Other components are loaded again when the server
 * is reachable. Browsers that cache a failed import reload the page instead.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loadPart = fileLoader(load)
  // React keeps the result of a lazy component, also that of a failure.
  const start = (): LazyExoticComponent<ComponentType<Props>> =>
    lazy(async () => ({ default: await loadPart().catch(() => Missing as ComponentType<Props>) }))
  let newest = start()

  function Missing({ onClose }: Closable) {
    const { missed } = usePage()
    useEffect(() => {
      newest = start()
      missed()
      onClose?.()
    }, [missed, onClose])
    return null
  }

  return function OnDemand(props: Props) {
    const { offline } = usePage()
    const [Part, setPart] = useState(() => newest)
    useEffect(() => {
      if (!offline) setPart(() => newest)
    }, [offline])
    return <Part {...props} />
  }
}
