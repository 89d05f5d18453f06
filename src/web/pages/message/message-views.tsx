import type { KeyboardEvent } from 'react'
import { useText } from '../../i18n/text.tsx'
import type { View } from './message-body.tsx'
import css from './message.module.css'

interface Props {
  views: readonly View[]
  view: View
  onChange: (view: View) => void
}

/** The ways to show a message: as HTML, text, source or headers. */
export function MessageViews({ views, view, onChange }: Props) {
  const text = useText()

  function onKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const rtl = document.documentElement.dir === 'rtl' ? -1 : 1
    const next = views[(views.indexOf(view) + step * rtl + views.length) % views.length] ?? view
    onChange(next)
    document.querySelector<HTMLElement>(`#view-${next}`)?.focus()
  }

  return (
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
          onClick={() => onChange(each)}
          onKeyDown={onKey}
        >
          {text(`message.view.${each}`)}
        </button>
      ))}
    </div>
  )
}
