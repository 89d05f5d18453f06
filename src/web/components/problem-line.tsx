import { useEffect, useRef, useState } from 'react'
import type { PageProblem } from '../api/api.ts'
import { type MessageKey, type Text, useText } from '../i18n/text.tsx'
import css from './problem-line.module.css'

const DEFAULT_WAIT = 8
const TICK = 1000

/** The message for a problem in the page's language. */
export function problemText({ code, retryAfter }: PageProblem, text: Text): string {
  if (code === 'too_many_requests') return text('problem.too_many_requests', { seconds: retryAfter ?? DEFAULT_WAIT })
  // Most error codes have no message and get the general one.
  return text(`problem.${code}` as MessageKey) || text('problem.other')
}

/** The seconds until a refusal by limits is over; undefined for other problems. */
const waitOf = (problem: PageProblem | null): number | undefined =>
  problem?.code === 'too_many_requests' ? (problem.retryAfter ?? DEFAULT_WAIT) : undefined

/** Counts down `waitOf` a problem. Calls `onOver` at zero. */
function useSecondsLeft(problem: PageProblem | null, onOver: (() => void) | undefined): number | undefined {
  const [left, setLeft] = useState(waitOf(problem))
  const over = useRef(onOver)
  useEffect(() => {
    over.current = onOver
  })
  useEffect(() => {
    const wait = waitOf(problem)
    setLeft(wait)
    if (wait === undefined) return undefined
    const end = Date.now() + wait * TICK
    const timer = setInterval(() => {
      const seconds = Math.ceil((end - Date.now()) / TICK)
      setLeft(Math.max(0, seconds))
      if (seconds > 0) return
      clearInterval(timer)
      over.current?.()
    }, TICK)
    return () => clearInterval(timer)
  }, [problem])
  return left
}

interface TextProps {
  problem: PageProblem
  /** Called when a refusal by limits is over. */
  onOver?: (() => void) | undefined
  /** Messages that replace the general ones here. */
  words?: Partial<Record<PageProblem['code'], MessageKey>> | undefined
}

/** The message for a problem. A refusal by limits counts down, and disappears at zero. Screen readers hear it once. */
export function ProblemText({ problem, onOver, words }: TextProps) {
  const text = useText()
  const left = useSecondsLeft(problem, onOver)
  const own = words?.[problem.code]
  if (own) return text(own)
  if (left === undefined) return problemText(problem, text)
  if (left === 0) return null
  return (
    <>
      <span className="quiet">{problemText(problem, text)}</span>
      <span aria-hidden>{problemText({ ...problem, retryAfter: left }, text)}</span>
    </>
  )
}

interface Props extends Omit<TextProps, 'problem'> {
  problem: PageProblem | null
}

export function ProblemLine({ problem, ...rest }: Props) {
  return (
    <div role="alert">
      {problem ? (
        <p className={css.problem}>
          <ProblemText problem={problem} {...rest} />
        </p>
      ) : null}
    </div>
  )
}
