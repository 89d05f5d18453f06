import type { LiveStatus } from '../hooks/inbox-state.ts'
import { useText } from '../i18n/text.tsx'
import css from './live.module.css'

/** The state of the live connection. Without JavaScript there is none and nothing is shown. */
export function Live({ status }: { status: LiveStatus }) {
  const text = useText()
  return (
    <span className={`${css.live} needs-script`} data-status={status} role="status">
      <span className={css.dot} aria-hidden="true" />
      {text(`live.${status}`)}
    </span>
  )
}
