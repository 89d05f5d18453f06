import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { usePage } from '../app/page.tsx'
import css from './dialog.module.css'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  /**
   * The buttons at the end. The last one is the primary action. They stay in view if the content is taller than the
   * screen.
   */
  actions: ReactNode
  /** The label of a close button beside the title. Default: there is none. */
  close?: string
  className?: string
}

/** A native modal dialog that is open while it is rendered. Escape, Back or a click outside closes it. */
export function Dialog({ title, onClose, children, actions, close, className = '' }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  /** Whether the pointer went down outside. A selection of text that ends there is also a click on the dialog. */
  const beganOutside = useRef(false)
  const id = useId()
  // Must be closed before it is removed, so that the browser restores the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) {
      dialog.showModal()
      // The focus on its button has scrolled the dialog.
      dialog.scrollTop = 0
    }
    return () => dialog?.close()
  }, [])
  // Not every dialog belongs to the page below, which Back changes.
  const { path, query } = usePage().payload
  const place = `${path} ${query.message}`
  const [opened] = useState(place)
  useEffect(() => {
    if (place !== opened) onClose()
  }, [place, opened, onClose])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the dialog handles Escape natively
    <dialog
      ref={ref}
      className={`${css.dialog} ${className}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        beganOutside.current = event.target === ref.current
      }}
      onClick={(event) => event.target === ref.current && beganOutside.current && onClose()}
    >
      <div className={css.inside}>
        <div className={css.head}>
          <h2 id={id}>{title}</h2>
          {close === undefined ? null : (
            <button type="button" className={css.close} aria-label={close} onClick={onClose}>
              {/* Not an icon of the library: with it, the home page would load this file. */}
              <svg viewBox="0 0 24 24" width={20} fill="none" stroke="currentColor" strokeWidth={2} aria-hidden>
                <path d="M18 6 6 18M6 6l12 12" strokeLinecap="round" />
              </svg>
            </button>
          )}
        </div>
        {children}
        <div className={css.actions}>{actions}</div>
      </div>
    </dialog>
  )
}
