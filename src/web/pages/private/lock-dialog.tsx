import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useText } from '../../i18n/text.tsx'

/** Asks before the key is removed from this device, and says if that failed. Without the phrase it would be lost. */
export function LockDialog({ onClose, onLock }: { onClose: () => void; onLock: () => Promise<void> }) {
  const text = useText()
  const { problem, attempt } = useAttempt()
  const actions = (
    <>
      <Button onClick={onClose}>{text('openHere.cancel')}</Button>
      <Button look="danger" onClick={() => void attempt(onLock)}>
        {text('private.lock')}
      </Button>
    </>
  )
  return (
    <Dialog title={text('private.lockTitle')} onClose={onClose} actions={actions}>
      <p>{text('private.lockText')}</p>
      <ProblemLine problem={problem} />
    </Dialog>
  )
}
