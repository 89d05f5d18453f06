import { MoveDown } from 'lucide-react'
import { EmailAddress } from '../../components/email-address.tsx'
import { useText } from '../../i18n/text.tsx'
import css from './forwarded.module.css'

interface Props {
  address: string
  destination: string
  state: string
}

/** The forwarding from the temporary address to the destination. */
export function Route({ address, destination, state }: Props) {
  const text = useText()
  return (
    <dl className={css.route} data-state={state}>
      <div>
        <dt>{text('forwarded.from')}</dt>
        <dd>
          <EmailAddress>{address}</EmailAddress>
        </dd>
      </div>
      <MoveDown size={20} aria-hidden />
      <div>
        <dt>{text('forwarded.to')}</dt>
        <dd>
          <EmailAddress>{destination}</EmailAddress>
        </dd>
      </div>
    </dl>
  )
}
