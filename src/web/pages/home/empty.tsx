import { useText } from '../../i18n/text.tsx'
import css from './empty.module.css'

/** The empty inbox. `waiting`: the address can still receive messages. */
export function EmptyInbox({ listening, waiting }: { listening: boolean; waiting: boolean }) {
  const text = useText()
  return (
    <div className={css.empty} data-listening={listening}>
      <svg width="120" height="56" viewBox="0 0 120 56" aria-hidden="true" focusable="false">
        <g fill="none" stroke="currentColor" strokeWidth="1.5" opacity=".5">
          <ellipse cx="60" cy="38" rx="56" ry="14" />
          <ellipse cx="60" cy="38" rx="34" ry="8.500" />
          <ellipse cx="60" cy="38" rx="13" ry="3.300" />
        </g>
        <path className={css.drop} d="M60 8c4 6 6 9 6 12a6 6 0 0 1-12 0c0-3 2-6 6-12z" />
      </svg>
      <p className={css.title}>{text('inbox.empty')}</p>
      {waiting ? <p className={css.waiting}>{text('inbox.waiting')}</p> : null}
    </div>
  )
}
