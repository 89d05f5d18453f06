import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useText } from '../../i18n/text.tsx'

/** Asks before the key is removed from this device. Without the phrase it would be lost. */
export function LockDialog({ onClose, onLock }: { onClose: () => void; onLock: () => void }) {
  const text = useText()
  const actions = (
    <>
      <Button onClick={onClose}>{text('openHere.cancel')}</Button>
      <Button look="danger" onClick={onLock}>
        {text('private.lock')}
      </Button>
    </>
  )
  return (
    <Dialog title={text('private.lockTitle')} onClose={onClose} actions={actions}>
      <p>{text('private.lockText')}</p>
    </Dialog>
  )
}
