import { useEffect, useState } from 'react'
import { api, type PageProblem, problemOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useText } from '../../i18n/text.tsx'
import { usePage } from '../../page.tsx'

/** Asks before a recovery link opens its address here, so that nobody is moved to another's inbox unawares. */
export function OpenHere({ hasAddress }: { hasAddress: boolean }) {
  const text = useText()
  const { refresh } = usePage()
  const [secret, setSecret] = useState<string | null>(null)
  const [problem, setProblem] = useState<PageProblem | null>(null)

  useEffect(() => {
    const found = /^#secret=([\w-]{43})$/.exec(location.hash)?.[1]
    if (!found) return
    // The secret must not stay in the history or be copied with the page's address.
    history.replaceState(null, '', location.pathname + location.search)
    setSecret(found)
  }, [])

  if (secret === null) return null
  const close = (): void => setSecret(null)
  async function open(): Promise<void> {
    try {
      await api.open(secret ?? '')
      await refresh()
      close()
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  const actions = (
    <>
      <Button onClick={close}>{text('openHere.cancel')}</Button>
      <Button look="main" onClick={() => void open()}>
        {text('openHere.confirm')}
      </Button>
    </>
  )
  return (
    <Dialog title={text('openHere.title')} onClose={close} actions={actions}>
      <p>{text('openHere.text')}</p>
      {hasAddress ? <p>{text('openHere.replaces')}</p> : null}
      <ProblemLine problem={problem} />
    </Dialog>
  )
}
