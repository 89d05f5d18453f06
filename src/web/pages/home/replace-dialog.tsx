import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { WithAddress } from '../../components/email-address.tsx'
import { useText } from '../../i18n/text.tsx'

interface Props {
  address: string
  onClose: () => void
  onReplace: () => Promise<unknown>
}

/** Says what a new address replaces. */
export function ReplaceDialog({ address, onClose, onReplace }: Props) {
  const text = useText()
  return (
    <ConfirmDialog
      title={text('replace.title')}
      words={<WithAddress text={text('home.replaces', { address })} address={address} />}
      confirm={text('replace.confirm')}
      onClose={onClose}
      onConfirm={onReplace}
    />
  )
}
