import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import css from './dialog.module.css'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  /** The buttons at the end. The last one is the primary action. */
  actions: ReactNode
}

/** A native modal dialog that is open while it is rendered. Escape or a click outside closes it. */
export function Dialog({ title, onClose, children, actions }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Must be closed before it is removed, so that the browser restores the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the dialog handles Escape natively
    <dialog
      ref={ref}
      className={css.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div className={css.inside}>
        <h2 id={id}>{title}</h2>
        {children}
        <div className={css.actions}>{actions}</div>
      </div>
    </dialog>
  )
}
