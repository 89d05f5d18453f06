import { type MouseEvent, useEffect, useRef } from 'react'
import { usePage } from '../app/page.tsx'
import { isPlain } from './link.tsx'
import css from './prose.module.css'

/** Whether the texts of the page are under way. */
let fetching = false

/**
 * A text of the site, as HTML made from our own Markdown. At hydration the payload has none (it is in the document
 * already), and React leaves what is there.
 */
export function Prose({ html, className = '' }: { html: string; className?: string | undefined }) {
  const { go, refresh } = usePage()
  const ref = useRef<HTMLDivElement>(null)
  // Where something else had changed the page before, such as a translator, React draws it anew: then the text is fetched.
  useEffect(() => {
    if (html === '' && ref.current?.innerHTML === '' && !fetching) {
      fetching = true
      void refresh().finally(() => (fetching = false))
    }
  }, [html, refresh])
  function follow(event: MouseEvent): void {
    const link = (event.target as Element).closest('a')
    if (!link || link.origin !== location.origin || link.pathname.startsWith('/api/') || !isPlain(event)) return
    event.preventDefault()
    go(link.pathname + link.search + link.hash)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- its links are followed here
    <div
      ref={ref}
      className={`${css.prose} ${className}`}
      onClick={follow}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
