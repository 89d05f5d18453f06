import { CopyButton } from '../../components/copy-button.tsx'
import { useText } from '../../i18n/text.tsx'
import css from './hero.module.css'

/** The address with its Copy button. An empty address is shown as being created. */
export function AddressLine({ address }: { address: string }) {
  const text = useText()
  return (
    <div className={css.line}>
      {address === '' ? (
        <p className={css.text} role="status">
          {text('home.preparing')}
        </p>
      ) : (
        <Address address={address} />
      )}
      <CopyButton value={address} className={css.copy}>
        {text('address.copy')}
      </CopyButton>
    </div>
  )
}

/** The whole address. A long one wraps before the `@`. A click selects all of it. */
function Address({ address }: { address: string }) {
  const text = useText()
  const at = address.lastIndexOf('@')
  return (
    // An address is set from left to right in every language.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the Copy button beside it works by keyboard
    <output className={css.text} dir="ltr" aria-label={text('address.select')} onClick={select}>
      <span>{address.slice(0, at)}</span>
      <span className={css.domain}>{address.slice(at)}</span>
    </output>
  )
}

function select(event: React.MouseEvent<HTMLElement>): void {
  getSelection()?.selectAllChildren(event.currentTarget)
}
