import { type ReactNode, useRef, useState } from 'react'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { useText } from '../../i18n/text.tsx'
import type { MessageData } from './message-data.ts'
import { BlockedStrip } from './notices.tsx'
import css from './message.module.css'

export type View = 'html' | 'text' | 'source' | 'headers'

/** The functions that load or render each view of a message. */
export interface Renderers {
  /** Renders a view in its sandbox. `images` allows remote images, `strip` is shown above it. */
  renderFrame: (view: 'html' | 'text', images: boolean, strip: ReactNode) => ReactNode
  source: () => Promise<string>
  /** The text that explains why remote images are blocked. */
  remote: string
}

export const viewsOf = (message: MessageData): View[] => [
  ...(message.hasHtml ? (['html'] as const) : []),
  ...(message.unreadable ? [] : (['text'] as const)),
  'source',
  'headers',
]

interface Props {
  message: MessageData
  renderers: Renderers
  view: View
}

/** A message as sandboxed HTML, text, source or headers. */
export function MessageBody({ message, renderers, view }: Props) {
  const text = useText()
  const [images, setImages] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  function showImages(): void {
    setImages(true)
    // The button disappears.
    body.current?.focus()
  }
  const framed = view === 'html' || (view === 'text' && Boolean(message.text?.trim()))
  return (
    <section aria-label={text('message.body')}>
      {message.unreadable ? (
        <div className={css.strip}>
          <p>{text('message.unreadable')}</p>
        </div>
      ) : null}
      {message.truncated && framed ? (
        <div className={css.strip}>
          <p>{text('message.truncated')}</p>
        </div>
      ) : null}
      {/* Must be focusable to scroll by keyboard. Frames are focusable anyway. */}
      <div
        ref={body}
        id="message-body"
        role="tabpanel"
        aria-labelledby={`view-${view}`}
        {...(framed ? { tabIndex: -1 } : { className: css.plain, tabIndex: 0 })}
      >
        <Body message={message} renderers={renderers} view={view} framed={framed} images={images}>
          {view === 'html' && message.hasRemoteContent && !images ? (
            <BlockedStrip trackers={message.trackers} onLoad={showImages} />
          ) : null}
        </Body>
      </div>
    </section>
  )
}

interface BodyProps extends Props {
  framed: boolean
  images: boolean
  children: ReactNode
}

function Body({ message, renderers, view, framed, images, children }: BodyProps) {
  const text = useText()
  if (view === 'source') return <Source load={renderers.source} />
  if (view === 'headers') {
    return (
      <dl className={css.headers} dir="ltr">
        {message.headers.map(({ name, value }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- headers can repeat, and their order is fixed
          <div key={index} className={css.header}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )
  }
  if (!framed) return <p>{text('message.noText')}</p>
  return renderers.renderFrame(view, images, children)
}

function Source({ load }: { load: () => Promise<string> }) {
  const text = useText()
  const [read] = useState(() => load)
  const { loaded, problem, again } = useLoaded(read)
  if (loaded === null && problem) return <NotLoaded problem={problem} again={again} />
  return <pre dir="ltr">{loaded ?? text('message.loading')}</pre>
}
