import type { PageProblem } from '../api/api.ts'
import { useText } from '../i18n/text.tsx'
import { Button } from './button.tsx'
import { ProblemLine } from './problem-line.tsx'
import css from './problem-line.module.css'

interface Props {
  problem: PageProblem
  /** Loads it again. Resolves to whether it succeeded. */
  again: () => Promise<boolean>
}

/** In place of a part of the page that could not be loaded: why, and a button that tries again. */
export function NotLoaded({ problem, again }: Props) {
  const text = useText()

  async function press(): Promise<void> {
    // The button that had the focus is gone then.
    if (await again()) document.getElementById('main')?.focus({ preventScroll: true })
  }

  return (
    <div className={css.missing}>
      <ProblemLine problem={problem} onOver={() => void again()} />
      <Button onClick={() => void press()}>{text('offline.retry')}</Button>
    </div>
  )
}
