import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { usePage } from '../app/page.tsx'

/** Whether the page handles a click on an internal link. Clicks with a modifier key are left to the browser. */
export const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented

/** A link to a page of this site. Without JavaScript or with a modifier key it works as a normal link. */
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
