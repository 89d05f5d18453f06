import type { PageProblem } from '../api.ts'
import { type MessageKey, type Text, useText } from '../i18n/text.tsx'
import css from './problem-line.module.css'

const KNOWN: ReadonlySet<string> = new Set([
  'address_taken',
  'login_invalid',
  'login_reserved',
  'domain_unknown',
  'premium_required',
  'unauthorized',
  'message_not_found',
  'offline',
])
const DEFAULT_WAIT = 8

/** A problem in plain words of the page's language. */
export function problemText({ code, retryAfter }: PageProblem, text: Text): string {
  if (code === 'too_many_requests') return text('problem.too_many_requests', { seconds: retryAfter ?? DEFAULT_WAIT })
  return text(KNOWN.has(code) ? (`problem.${code}` as MessageKey) : 'problem.other')
}

export function ProblemLine({ problem }: { problem: PageProblem | null }) {
  const text = useText()
  return <div role="alert">{problem ? <p className={css.problem}>{problemText(problem, text)}</p> : null}</div>
}
