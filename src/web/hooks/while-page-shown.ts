/**
 * Keeps something going while the page is shown; an open stream would keep it out of the back-forward cache. Answers a function
 * that ends it.
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
