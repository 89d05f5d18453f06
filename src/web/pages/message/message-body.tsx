import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { HomeData } from '#contract/pages.ts'
import { problemOf } from '../../api/api.ts'
import { Button } from '../../components/button.tsx'
import { problemText } from '../../components/problem-line.tsx'
import { useText } from '../../i18n/text.tsx'
import css from './message.module.css'

type View = 'html' | 'text' | 'source' | 'headers'

/** The functions that load or render each view of a message. */
export interface Renderers {
  /** Renders a view in its sandbox. `images` allows remote images. */
  renderFrame: (view: 'html' | 'text', images: boolean) => ReactNode
  source: () => Promise<string>
  /** The text that explains why remote images are blocked. */
  remote: string
}

/** A message as sandboxed HTML, text, source or headers. */
export function MessageBody({ message, renderers }: { message: MessageData; renderers: Renderers }) {
  const text = useText()
  const views: View[] = [
    ...(message.hasHtml ? (['html'] as const) : []),
    ...(message.unreadable ? [] : (['text'] as const)),
    'source',
    'headers',
  ]
  const [view, setView] = useState<View>(views[0] ?? 'source')
  const [images, setImages] = useState(false)
  const framed = view === 'html' || (view === 'text' && Boolean(message.text?.trim()))

  function onKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const rtl = document.documentElement.dir === 'rtl' ? -1 : 1
    const next = views[(views.indexOf(view) + step * rtl + views.length) % views.length] ?? view
    setView(next)
    document.querySelector<HTMLElement>(`#view-${next}`)?.focus()
  }

  return (
    <section aria-labelledby="body-label">
      <h2 id="body-label" className={css.body}>
        {text('message.body')}
      </h2>
      <div className={`${css.views} needs-script`} role="tablist" aria-label={text('message.views')}>
        {views.map((each) => (
          <button
            key={each}
            id={`view-${each}`}
            type="button"
            role="tab"
            aria-selected={each === view}
            aria-controls="message-body"
            tabIndex={each === view ? 0 : -1}
            onClick={() => setView(each)}
            onKeyDown={onKey}
          >
            {text(`message.view.${each}`)}
          </button>
        ))}
      </div>
      {message.unreadable ? (
        <div className={css.notice}>
          <p>{text('message.unreadable')}</p>
        </div>
      ) : null}
      {message.truncated && framed ? (
        <div className={css.notice}>
          <p>{text('message.truncated')}</p>
        </div>
      ) : null}
      {view === 'html' && message.hasRemoteContent && !images ? (
        <div className={css.notice}>
          <p>{renderers.remote}</p>
          <Button className="needs-script" onClick={() => setImages(true)}>
            {text('message.loadRemote')}
          </Button>
        </div>
      ) : null}
      {/* Must be focusable to scroll by keyboard. Frames are focusable anyway. */}
      <div
        id="message-body"
        role="tabpanel"
        aria-labelledby={`view-${view}`}
        {...(framed ? {} : { className: css.plain, tabIndex: 0 })}
      >
        <Body message={message} renderers={renderers} view={view} framed={framed} images={images} />
      </div>
    </section>
  )
}

interface BodyProps {
  message: MessageData
  renderers: Renderers
  view: View
  framed: boolean
  images: boolean
}

function Body({ message, renderers, view, framed, images }: BodyProps) {
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
  return renderers.renderFrame(view, images)
}

function Source({ load }: { load: () => Promise<string> }) {
  const text = useText()
  const [source, setSource] = useState<string | null>(null)
  const first = useRef(load)
  useEffect(() => {
    first.current().then(setSource, (error: unknown) => setSource(problemText(problemOf(error), text)))
  }, [text])
  return <pre dir="ltr">{source ?? text('message.loading')}</pre>
}

export type MessageData = NonNullable<HomeData['message']>
