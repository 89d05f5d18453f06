import { CircleHelp, ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { useText } from '../i18n/text.tsx'
import css from './authenticity.module.css'

type Results = MessageSummaryJson['authentication']
type Verdict = 'pass' | 'none' | 'fail' | 'pending' | 'unchecked'

/**
 * Reduces three results to one verdict. DMARC decides. Without a DMARC policy only a failed SPF check is conclusive.
 */
export function verdictOf({ spf, dkim, dmarc }: Results): Verdict {
  if ([spf, dkim, dmarc].includes('pending')) return 'pending'
  if ([spf, dkim, dmarc].every((result) => result === 'temperror')) return 'unchecked'
  if (dmarc === 'pass') return 'pass'
  if (dmarc === 'fail' || spf === 'fail') return 'fail'
  return 'none'
}

const ICONS = {
  pass: ShieldCheck,
  none: ShieldQuestionMark,
  fail: ShieldAlert,
  fake: ShieldAlert,
  pending: CircleHelp,
  unchecked: CircleHelp,
}

/** The authentication badge. `forged`: other signs also suggest a forgery. */
export function AuthBadge({ authentication, forged }: { authentication: Results; forged: boolean }) {
  const text = useText()
  const verdict = forged ? 'fake' : verdictOf(authentication)
  const Icon = ICONS[verdict]
  return (
    <span className={css.badge} data-verdict={verdict}>
      <Icon size={16} aria-hidden />
      <span>{text(`auth.${verdict}`)}</span>
    </span>
  )
}

/** What the badge means, with the three results. */
export function AuthReason({ authentication }: { authentication: Results }) {
  const text = useText()
  return (
    <div className={css.reason}>
      <p>{text(`auth.${verdictOf(authentication)}.text`)}</p>
      <ul>
        {(['spf', 'dkim', 'dmarc'] as const).map((check) => (
          <li key={check}>{text(`auth.result.${check}`, { result: authentication[check] })}</li>
        ))}
      </ul>
    </div>
  )
}
