import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type PageProblem, problemOf } from '../../api/api.ts'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useText } from '../../i18n/text.tsx'
import { FittedFrame, type Printer } from '../message/fitted-frame.tsx'
import css from '../message/message.module.css'

interface Props {
  /** Set while the message can be printed. */
  printer?: Printer
  strip?: ReactNode
  /** Loads the document. Called once. */
  load: () => Promise<string>
  /** Whether remote images may be loaded through the proxy. */
  remote: boolean
}

/**
 * Shows a message that this browser opened with the same isolation as any other message. A document from the server,
 * with its own Content Security Policy and an opaque origin, receives the HTML and shows it in a frame without scripts.
 */
export function PrivateFrame({ load, remote, printer, strip }: Props) {
  const text = useText()
  const title = text('message.frame')
  const [html, setHtml] = useState<string | null>(null)
  const [problem, setProblem] = useState<PageProblem | null>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const first = useRef(load)
  useEffect(() => {
    first.current().then(setHtml, (error: unknown) => setProblem(problemOf(error)))
  }, [])

  // The listener must exist before the frame reports that it is ready.
  useLayoutEffect(() => {
    if (html === null) return undefined
    const onMessage = ({ source }: MessageEvent): void => {
      const shown = frame.current?.contentWindow
      // The frame has an opaque origin that cannot be named. Its document comes from this server.
      if (shown && source === shown) shown.postMessage({ html, title }, '*')
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [html, title])

  if (problem) return <ProblemLine problem={problem} />
  if (html === null) return <p role="status">{text('message.loading')}</p>
  const shown = (size: CSSProperties | undefined) => (
    <iframe
      ref={frame}
      className={css.frame}
      style={size}
      title={title}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      src={`/frame/private?images=${remote ? 1 : 0}`}
      referrerPolicy="no-referrer"
    />
  )
  return (
    <FittedFrame load={async () => html} remote={remote} printer={printer} strip={strip}>
      {shown}
    </FittedFrame>
  )
}
