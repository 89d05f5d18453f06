import { type ReactNode, useRef, useState } from 'react'
import { HEADERS_SHOWN } from '#core/mailbox/message.ts'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { useText } from '../../i18n/text.tsx'
import type { MessageData } from './message-data.ts'
import { BlockedStrip } from './notices.tsx'
import { sourceText } from './source-text.ts'
import css from './message.module.css'

export type View = 'html' | 'text' | 'source' | 'headers'

/** The functions that load or render each view of a message. */
export interface Renderers {
  /** Renders a view in its sandbox. `images` allows remote images, `strip` is shown above it. */
  renderFrame: (view: 'html' | 'text', images: boolean, strip: ReactNode) => ReactNode
  source: () => Promise<Blob>
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
  const [isSourceCut, setSourceCut] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  function showImages(): void {
    setImages(true)
    // The button disappears.
    body.current?.focus()
  }
  const framed = view === 'html' || (view === 'text' && Boolean(message.text?.trim()))
  const isCut =
    (framed && message.truncated) ||
    (view === 'source' && isSourceCut) ||
    (view === 'headers' && message.headers.length > HEADERS_SHOWN)
  return (
    <section aria-label={text('message.body')}>
      {message.unreadable ? (
        <div className={css.strip}>
          <p>{text('message.unreadable')}</p>
        </div>
      ) : null}
      {isCut ? (
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
        <Body {...{ message, renderers, view, framed, images, setSourceCut }}>
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
  setSourceCut: (isCut: boolean) => void
  children: ReactNode
}

function Body({ message, renderers, view, framed, images, setSourceCut, children }: BodyProps) {
  const text = useText()
  if (view === 'source') return <Source load={renderers.source} onCut={setSourceCut} />
  if (view === 'headers') {
    return (
      <dl className={css.headers} dir="ltr">
        {message.headers.slice(0, HEADERS_SHOWN).map(({ name, value }, index) => (
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

function Source({ load, onCut }: { load: () => Promise<Blob>; onCut: (isCut: boolean) => void }) {
  const text = useText()
  const [read] = useState(() => async () => {
    const source = await sourceText(await load())
    onCut(source.cut)
    return source.text
  })
  const { loaded, problem, again } = useLoaded(read)
  if (loaded === null && problem) return <NotLoaded problem={problem} again={again} />
  return <pre dir="ltr">{loaded ?? text('message.loading')}</pre>
}
