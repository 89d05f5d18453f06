import { useText } from '../i18n/text.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { WithAddress } from './email-address.tsx'

const TEXTS = {
  delete: ['delete.title', 'delete.text', 'delete.confirm'],
  replace: ['replace.title', 'home.replaces', 'replace.confirm'],
} as const

interface Props {
  address: string
  /** What happens to the address: a new one may replace it. */
  action: keyof typeof TEXTS
  onClose: () => void
  onConfirm: () => Promise<unknown>
}

/** Asks for confirmation before an address is deleted or replaced, and says which one. */
export function AddressDialog({ address, action, onClose, onConfirm }: Props) {
  const text = useText()
  const [title, words, confirm] = TEXTS[action]
  return (
    <ConfirmDialog
      title={text(title)}
      words={<WithAddress text={text(words, { address })} address={address} />}
      confirm={text(confirm)}
      onClose={onClose}
      onConfirm={onConfirm}
    />
  )
}
