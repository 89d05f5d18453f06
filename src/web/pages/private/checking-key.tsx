import type { PrivateAddressJson } from '#contract/pages.ts'
import { EmailAddress } from '../../components/email-address.tsx'
import { useText } from '../../i18n/text.tsx'
import css from './private.module.css'

/** Shown until the browser has checked whether it has the key. */
export function CheckingKey({ address }: { address: Pick<PrivateAddressJson, 'address'> }) {
  const text = useText()
  return (
    <section className={css.plain}>
      <h1>
        <EmailAddress>{address.address}</EmailAddress>
      </h1>
      <p className="needs-script" role="status">
        {text('message.loading')}
      </p>
      <p className={`without-script ${css.warning}`}>{text('private.needsScript')}</p>
    </section>
  )
}
