import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { wrapping } from '../../components/email-address.tsx'
import { useText } from '../../i18n/text.tsx'

interface Props {
  address: string
  onClose: () => void
  onDelete: () => Promise<unknown>
}

export function DeleteDialog({ address, onClose, onDelete }: Props) {
  const text = useText()
  return (
    <ConfirmDialog
      title={text('delete.title')}
      words={text('delete.text', { address: wrapping(address) })}
      confirm={text('delete.confirm')}
      onClose={onClose}
      onConfirm={onDelete}
    />
  )
}
