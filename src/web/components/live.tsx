import type { LiveStatus } from '../hooks/inbox-state.ts'
import { useText } from '../i18n/text.tsx'
import css from './live.module.css'

interface Props {
  status: LiveStatus
  /** Id of the message that arrived last. The dot ripples once for each. */
  arrived?: string | undefined
}

/** The state of the live connection. Without JavaScript there is none and nothing is shown. */
export function Live({ status, arrived }: Props) {
  const text = useText()
  return (
    <span className={`${css.live} needs-script`} data-status={status} role="status">
      <span key={arrived} className={css.dot} data-arrived={arrived !== undefined} aria-hidden="true" />
      <span>{text(`live.${status}`)}</span>
    </span>
  )
}
