import { type MouseEvent, useEffect, useRef } from 'react'
import { usePage } from '../app/page.tsx'
import { isPlain } from './link.tsx'
import css from './prose.module.css'

/** Whether the page's texts are being fetched. */
let fetching = false

interface Props {
  html: string
  className?: string | undefined
  /** On wide screens the headings stand beside their texts. */
  split?: boolean
}

/**
 * A text of the site as HTML from trusted Markdown. At hydration the payload omits it because the document has it
 * already, and React keeps the existing HTML.
 */
export function Prose({ html, className = '', split = false }: Props) {
  const { go, refresh } = usePage()
  const ref = useRef<HTMLDivElement>(null)
  // If a translator, for example, changed the page before hydration, React renders it again and the text must be
  // fetched.
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
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- handles clicks on the links inside
    <div
      ref={ref}
      data-prose=""
      className={`${css.prose} ${split ? css.split : ''} ${className}`}
      onClick={follow}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
