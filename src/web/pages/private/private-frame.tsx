import { type CSSProperties, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useText } from '../../i18n/text.tsx'
import { FittedFrame, type Printer } from '../message/fitted-frame.tsx'
import css from '../message/message.module.css'

interface Props {
  /** Set while the message can be printed. */
  printer?: Printer
  strip?: ReactNode
  /** Loads the document. Called until it succeeds, and then no more. */
  load: () => Promise<string>
  /** Whether remote images may be loaded through the proxy. */
  remote: boolean
}

/** Shows a message that this browser opened with the same isolation as any other message. */
export function PrivateFrame({ remote, ...rest }: Props) {
  return (
    <FittedFrame remote={remote} {...rest}>
      {(size, html) => (html === null ? null : <PrivateDocument html={html} remote={remote} size={size} />)}
    </FittedFrame>
  )
}

interface DocumentProps {
  html: string
  remote: boolean
  size: CSSProperties | undefined
}

/**
 * A frame with a document of the server that has its own Content Security Policy and an opaque origin. This page sends it the
 * HTML of the message, which it shows in an inner frame without scripts.
 */
function PrivateDocument({ html, remote, size }: DocumentProps) {
  const title = useText()('message.frame')
  const frame = useRef<HTMLIFrameElement>(null)

  // The listener must exist before the frame reports that it is ready.
  useLayoutEffect(() => {
    const onMessage = ({ source }: MessageEvent): void => {
      const shown = frame.current?.contentWindow
      // The frame has an opaque origin that cannot be named. Its document comes from this server.
      if (shown && source === shown) shown.postMessage({ html, title }, '*')
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [html, title])

  return (
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
}
