import type { MouseEvent } from 'react'
import { usePage } from '../page.tsx'
import { isPlain } from './link.tsx'
import css from './prose.module.css'

/**
 * A text of the site, as HTML made from our own Markdown. At hydration the payload has none (it is in the document
 * already), and React leaves what is there.
 */
export function Prose({ html, className = '' }: { html: string; className?: string | undefined }) {
  const { go } = usePage()
  function follow(event: MouseEvent): void {
    const link = (event.target as Element).closest('a')
    if (!link || link.origin !== location.origin || link.pathname.startsWith('/api/') || !isPlain(event)) return
    event.preventDefault()
    go(link.pathname + link.search + link.hash)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- its links are followed here
    <div
      className={`${css.prose} ${className}`}
      onClick={follow}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
