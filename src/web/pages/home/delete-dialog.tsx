import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useText } from '../../i18n/text.tsx'

interface Props {
  address: string
  onClose: () => void
  onDelete: () => Promise<unknown>
}

export function DeleteDialog({ address, onClose, onDelete }: Props) {
  const text = useText()
  const actions = (
    <>
      <Button onClick={onClose}>{text('delete.cancel')}</Button>
      <Button look="danger" onClick={() => void onDelete().then(onClose)}>
        {text('delete.confirm')}
      </Button>
    </>
  )
  return (
    <Dialog title={text('delete.title')} onClose={onClose} actions={actions}>
      <p>{text('delete.text', { address })}</p>
    </Dialog>
  )
}
