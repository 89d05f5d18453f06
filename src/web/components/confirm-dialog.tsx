import type { ReactNode } from 'react'
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
  const actions = (
    <>
      <Button onClick={onClose}>{text('delete.cancel')}</Button>
      <Button look="danger" onClick={() => void onConfirm().then(onClose)}>
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
