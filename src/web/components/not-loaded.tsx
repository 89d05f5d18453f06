import { useState } from 'react'
import type { PageProblem } from '../api/api.ts'
import { keepFocus } from '../hooks/keep-focus.ts'
import { useText } from '../i18n/text.tsx'
import { Button } from './button.tsx'
import { ProblemLine } from './problem-line.tsx'
import css from './not-loaded.module.css'

interface Props {
  problem: PageProblem
  /** Loads it again. Resolves to whether it succeeded. */
  again: () => Promise<boolean>
}

/** In place of a part of the page that could not be loaded: why, and a button that tries again at once. */
export function NotLoaded({ problem, again }: Props) {
  const text = useText()
  const [busy, setBusy] = useState(false)

  async function press(): Promise<void> {
    setBusy(true)
    await again()
    setBusy(false)
  }

  return (
    <div ref={keepFocus} className={css.missing}>
      <ProblemLine problem={problem} />
      <Button disabled={busy} onClick={() => void press()}>
        {text('offline.retry')}
      </Button>
    </div>
  )
}
