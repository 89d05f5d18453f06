import { useText } from '../../i18n/text.tsx'
import css from './empty.module.css'

/** The empty inbox. `waiting`: the address can still receive messages. */
export function EmptyInbox({ listening, waiting }: { listening: boolean; waiting: boolean }) {
  const text = useText()
  return (
    <div className={css.empty} data-listening={listening}>
      <div className={css.drop} />
      <p className={css.title}>{text('inbox.empty')}</p>
      {waiting ? <p className={css.waiting}>{text('inbox.waiting')}</p> : null}
    </div>
  )
}
