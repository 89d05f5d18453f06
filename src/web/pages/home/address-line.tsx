import { CopyButton } from '../../components/copy-button.tsx'
import { useText } from '../../i18n/text.tsx'
import css from './hero.module.css'

const STEPS = [20, 24, 28, 32, 36, 44, 56, 80]

/** The address with its Copy button. An empty address is shown as being created. */
export function AddressLine({ address }: { address: string }) {
  const text = useText()
  return (
    <div className={css.plate}>
      <div className={css.address}>
        {address === '' ? <p role="status">{text('home.preparing')}</p> : <Address address={address} />}
      </div>
      <CopyButton value={address} className={css.copy}>
        {text('address.copy')}
      </CopyButton>
    </div>
  )
}

/** The address in one line, as large as fits. A click selects all of it. */
function Address({ address }: { address: string }) {
  const text = useText()
  const at = address.lastIndexOf('@')
  const step = STEPS.find((length) => address.length <= length) ?? 80
  return (
    // An address is set from left to right in every language.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the Copy button beside it works by keyboard
    <output
      className={css.text}
      data-length={step}
      dir="ltr"
      title={address}
      aria-label={text('address.select')}
      onClick={select}
    >
      {address.slice(0, at)}
      <span className={css.domain}>{address.slice(at)}</span>
    </output>
  )
}

function select(event: React.MouseEvent<HTMLElement>): void {
  getSelection()?.selectAllChildren(event.currentTarget)
}
