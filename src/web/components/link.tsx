import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { usePage } from '../app/page.tsx'

/** Whether a click on a link of this site is to be followed by the page itself: with a modifier key it is the browser's. */
export const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented

/** A link to a page of this site: a real one, that without JavaScript or with a modifier key is followed as usual. */
export function Link({ href, onClick, children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const { go } = usePage()
  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event)
    if (!isPlain(event)) return
    event.preventDefault()
    go(href)
  }
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
