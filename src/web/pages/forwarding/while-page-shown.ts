/**
 * Runs something while the page is shown. An open stream would keep the page out of the back-forward cache. Returns a function
 * that stops it.
 */
export function whilePageShown(start: () => () => void): () => void {
  let stop = start()
  const onHide = (): void => stop()
  const onShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) stop = start()
  }
  addEventListener('pagehide', onHide)
  addEventListener('pageshow', onShow)
  return () => {
    stop()
    removeEventListener('pagehide', onHide)
    removeEventListener('pageshow', onShow)
  }
}
