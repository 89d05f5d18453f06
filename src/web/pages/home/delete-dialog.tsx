import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { WithAddress } from '../../components/email-address.tsx'
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
      words={<WithAddress text={text('delete.text', { address })} address={address} />}
      confirm={text('delete.confirm')}
      onClose={onClose}
      onConfirm={onDelete}
    />
  )
}
