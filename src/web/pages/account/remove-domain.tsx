import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useText } from '../../i18n/text.tsx'

interface Props {
  name: string
  onClose: () => void
  onRemove: () => Promise<unknown>
}

export function RemoveDomain({ name, onClose, onRemove }: Props) {
  const text = useText()
  const actions = (
    <>
      <Button onClick={onClose}>{text('delete.cancel')}</Button>
      <Button look="danger" onClick={() => void onRemove().then(onClose)}>
        {text('account.domains.remove')}
      </Button>
    </>
  )
  return (
    <Dialog title={text('account.domains.removeTitle', { domain: name })} onClose={onClose} actions={actions}>
      <p>{text('account.domains.removeText')}</p>
    </Dialog>
  )
}
