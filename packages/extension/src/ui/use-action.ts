import { useCallback, useState } from 'react'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { problemText } from './problem.ts'

/** Runs one action at a time, and keeps the text of the problem if it fails. */
export function useAction() {
  const text = useText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const run = useCallback(
    (action: () => Promise<unknown>): void => {
      setBusy(true)
      setProblem('')
      void action()
        .catch((error: unknown) => setProblem(problemText(error, text)))
        .finally(() => setBusy(false))
    },
    [text],
  )
  return { busy, problem, setProblem, run }
}
