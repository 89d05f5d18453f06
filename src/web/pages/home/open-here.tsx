import { leave, problemOf } from '../../api/api.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useProblem } from '../../hooks/use-attempt.ts'
import { useText } from '../../i18n/text.tsx'

interface Props {
  secret: string
  hasAddress: boolean
  /** Not `onClose`: without a connection the link must not be dropped, but wait. */
  onDismiss: () => void
  /** Called if the link opens no address: it expired, was deleted, or never existed. */
  onFail: () => void
  onCreate: () => Promise<unknown>
}

/** Asks before a recovery link opens its address, so that no visitor is moved to a foreign inbox unknowingly. */
export function OpenHere({ secret, hasAddress, onDismiss, onFail, onCreate }: Props) {
  const text = useText()
  const { refresh } = usePage()
  const { problem, setProblem } = useProblem()

  async function open(): Promise<void> {
    try {
      await leave('POST', '/session', { secret })
      await refresh()
      onDismiss()
    } catch (error) {
      const failed = problemOf(error)
      setProblem(failed)
      if (failed.code === 'unauthorized') onFail()
    }
  }
  const ended = problem?.code === 'unauthorized'
  const actions = ended ? (
    <>
      <Button onClick={onDismiss}>{text('recovery.close')}</Button>
      {hasAddress ? null : (
        <Button look="main" onClick={() => void onCreate().then(onDismiss)}>
          {text('home.getNewAddress')}
        </Button>
      )}
    </>
  ) : (
    <>
      <Button onClick={onDismiss}>{text('openHere.cancel')}</Button>
      <Button look="main" onClick={() => void open()}>
        {text('openHere.confirm')}
      </Button>
    </>
  )
  return (
    <Dialog title={text('openHere.title')} onClose={onDismiss} actions={actions}>
      {ended ? null : <p>{text('openHere.text')}</p>}
      {hasAddress && !ended ? <p>{text('openHere.replaces')}</p> : null}
      <ProblemLine problem={problem} />
    </Dialog>
  )
}
