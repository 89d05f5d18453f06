import type { PageProblem } from '../api/api.ts'
import { type MessageKey, type Text, useText } from '../i18n/text.tsx'
import css from './problem-line.module.css'

const DEFAULT_WAIT = 8

/** The message for a problem in the page's language. */
export function problemText({ code, retryAfter }: PageProblem, text: Text): string {
  if (code === 'too_many_requests') return text('problem.too_many_requests', { seconds: retryAfter ?? DEFAULT_WAIT })
  // Most error codes have no message and get the general one.
  return text(`problem.${code}` as MessageKey) || text('problem.other')
}

interface Props {
  problem: PageProblem | null
  /** Messages that replace the general ones here. */
  words?: Partial<Record<PageProblem['code'], MessageKey>>
}

export function ProblemLine({ problem, words }: Props) {
  const text = useText()
  const own = problem && words?.[problem.code]
  return (
    <div role="alert">
      {problem ? <p className={css.problem}>{own ? text(own) : problemText(problem, text)}</p> : null}
    </div>
  )
}
