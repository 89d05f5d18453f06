import { usePayload } from '../../app/page.tsx'
import { useText } from '../../i18n/text.tsx'
import { Back } from '../message/back.tsx'
import { Advice, DeliveryList } from './delivery-list.tsx'
import css from './deliveries.module.css'

/** "Where is my email?" as a page of its own, for browsers without JavaScript. With it, a panel below the inbox opens. */
export function Deliveries() {
  const text = useText()
  const { address, panel } = usePayload('home').data
  if (!address || !panel || panel === 'question') return null
  return (
    <section className={css.page} aria-labelledby="deliveries-title">
      <Back />
      <h1 id="deliveries-title">{text('inbox.where')}</h1>
      <div className={css.panel}>
        <div className={css.seen}>
          <DeliveryList list={panel} />
        </div>
        <Advice address={address.address} heading="h2" />
      </div>
    </section>
  )
}
