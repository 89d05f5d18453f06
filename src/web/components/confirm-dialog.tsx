import { type ReactNode, useState } from 'react'
import { useText } from '../i18n/text.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  words: ReactNode
  /** Label of the confirm button. */
  confirm: string
  onClose: () => void
  onConfirm: () => Promise<unknown>
}

/** Asks for confirmation before an irreversible action. */
export function ConfirmDialog({ title, words, confirm, onClose, onConfirm }: Props) {
  const text = useText()
  const [busy, setBusy] = useState(false)
  function act(): void {
    setBusy(true)
    void onConfirm().then(onClose)
  }

  const actions = (
    <>
      <Button onClick={onClose}>{text('delete.cancel')}</Button>
      <Button look="danger" disabled={busy} onClick={act}>
        {confirm}
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      <p>{words}</p>
    </Dialog>
  )
}
