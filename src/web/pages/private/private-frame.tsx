import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type PageProblem, problemOf } from '../../api/api.ts'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useText } from '../../i18n/text.tsx'
import css from '../message/message.module.css'

interface Props {
  /** The document to show; asked for once. */
  load: () => Promise<string>
  /** Whether it may load images, by way of the proxy. */
  remote: boolean
}

/**
 * A mail that this browser opened, behind the same walls as any other: a document of the server's, with a policy of its own and
 * without an origin, takes it and shows it in a frame without scripts.
 */
export function PrivateFrame({ load, remote }: Props) {
  const text = useText()
  const title = text('message.frame')
  const [html, setHtml] = useState<string | null>(null)
  const [problem, setProblem] = useState<PageProblem | null>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const first = useRef(load)
  useEffect(() => {
    first.current().then(setHtml, (error: unknown) => setProblem(problemOf(error)))
  }, [])

  // Before the frame could say that it is there.
  useLayoutEffect(() => {
    if (html === null) return undefined
    const onMessage = ({ source }: MessageEvent): void => {
      const shown = frame.current?.contentWindow
      // It has no origin that could be named; what stands in it is the server's own document.
      if (shown && source === shown) shown.postMessage({ html, title }, '*')
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [html, title])

  if (problem) return <ProblemLine problem={problem} />
  if (html === null) return <p role="status">{text('message.loading')}</p>
  return (
    <iframe
      ref={frame}
      className={css.frame}
      title={title}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      src={`/frame/private?images=${remote ? 1 : 0}`}
      referrerPolicy="no-referrer"
    />
  )
}
