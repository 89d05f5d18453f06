import { useEffect } from 'react'

/**
 * Keeps the visitor on a page that cannot be shown again. Links trigger full loads, for which the browser asks whether
 * to leave. Going back in the history is undone.
 */
export function useStay(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined
    let returning = false
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault()
    const onClick = (event: MouseEvent): void => {
      if (event.target instanceof Element && event.target.closest('a[href]:not([download])')) event.stopPropagation()
    }
    const onPop = (event: PopStateEvent): void => {
      event.stopImmediatePropagation()
      if (!returning) history.forward()
      returning = !returning
    }
    addEventListener('beforeunload', onUnload)
    addEventListener('click', onClick, { capture: true })
    addEventListener('popstate', onPop, { capture: true })
    return () => {
      removeEventListener('beforeunload', onUnload)
      removeEventListener('click', onClick, { capture: true })
      removeEventListener('popstate', onPop, { capture: true })
    }
  }, [active])
}
