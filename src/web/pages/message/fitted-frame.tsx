import { Maximize2, Minimize2 } from 'lucide-react'
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { Button } from '../../components/button.tsx'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { useText } from '../../i18n/text.tsx'
import { type Fit, firstFit, fitTo, isMeasured } from './fit.ts'
import css from './message.module.css'

/** Prints a message with these lines above it. */
export type Printer = RefObject<((lines: readonly string[]) => void) | null>

interface Props {
  /** Loads the sanitized document of the message. Called until it succeeds, and then no more. */
  load: () => Promise<string>
  /** Whether the message may load images through the proxy. */
  remote: boolean
  /** Set while the message can be printed. Undefined: it can't be printed. */
  printer?: Printer | undefined
  /** Shown above the message. */
  strip?: ReactNode
  /**
   * Renders the frame. Without `size` it has a fixed height and scrolls. `html` is null until it is loaded: a frame with a
   * URL of its own is shown meanwhile, also without scripts.
   */
  children: (size: CSSProperties | undefined, html: string | null) => ReactNode
}

/**
 * Makes the frame as tall as its message, and scales a message that is wider than the page. A hidden frame of our own
 * measures a copy of the message, because nothing can look into the frame that shows it (decision 025).
 */
export function FittedFrame({ load, remote, printer, strip, children }: Props) {
  const text = useText()
  const box = useRef<HTMLDivElement>(null)
  const measuring = useRef<HTMLIFrameElement>(null)
  const [available, setAvailable] = useState(0)
  const [fit, setFit] = useState<Fit>(firstFit(0))
  const [actual, setActual] = useState(false)
  const [read] = useState(() => load)
  const { loaded: html, problem, again } = useLoaded(read)

  useEffect(() => {
    let known = 0
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0)
      // The height of the box follows from the result, so it must not start a new measurement.
      if (width === known) return
      known = width
      setAvailable(width)
      // The height stays until the new one is known.
      setFit(({ height }) => ({ ...firstFit(width), height }))
    })
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (html === null) return undefined
    const onMessage = ({ source, data }: MessageEvent): void => {
      const frame = measuring.current?.contentWindow
      if (!frame || source !== frame) return
      // The frame has an opaque origin that cannot be named. Its document comes from this server.
      if ((data as { ready?: true }).ready) frame.postMessage({ html }, '*')
      else if (isMeasured(data)) setFit((before) => fitTo(before, data, available))
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [html, available])

  const measured = fit.height !== null
  useImperativeHandle(
    printer,
    () => (lines) => {
      if (measured) measuring.current?.contentWindow?.postMessage({ print: lines }, '*')
      else print()
    },
    [measured],
  )

  const { width, height } = fit
  const scale = actual || width <= available ? 1 : available / width
  return (
    <div className={css.paper}>
      <div className={css.above}>
        {strip}
        {width > available && height !== null ? (
          <Button
            look="quiet"
            className={css.zoom ?? ''}
            icon={actual ? <Minimize2 size={18} aria-hidden /> : <Maximize2 size={18} aria-hidden />}
            title={text(actual ? 'message.fitScreen' : 'message.actualSize')}
            onClick={() => setActual(!actual)}
          >
            {text(actual ? 'message.fitScreen' : 'message.actualSize')}
          </Button>
        ) : null}
      </div>
      <div
        ref={box}
        className={css.fitted}
        // Scrolls by keyboard too.
        {...(actual ? { role: 'group', 'aria-label': text('message.frame'), tabIndex: 0 } : {})}
        style={height === null ? undefined : { blockSize: height * scale, overflow: actual ? 'auto hidden' : 'clip' }}
      >
        {/* A frame that can't be loaded shows a page of the browser, and says nothing to this one. */}
        {html === null && problem ? (
          <NotLoaded problem={problem} again={again} />
        ) : (
          children(
            height === null ? undefined : { inlineSize: width, blockSize: height, transform: `scale(${scale})` },
            html,
          )
        )}
      </div>
      {html !== null && available > 0 ? (
        <iframe
          ref={measuring}
          className={css.measure}
          title={text('message.frame')}
          style={{ inlineSize: width }}
          sandbox="allow-scripts allow-modals"
          src={`/frame/measure?images=${remote ? 1 : 0}`}
          referrerPolicy="no-referrer"
          tabIndex={-1}
          aria-hidden
        />
      ) : null}
    </div>
  )
}
