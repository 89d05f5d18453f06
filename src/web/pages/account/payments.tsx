import type { AccountPaymentJson } from '#contract/account.ts'
import { dayText } from '../../i18n/day.ts'
import { moneyText } from '../../i18n/price.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { Section } from './section.tsx'
import css from './account.module.css'

/** The payments of the account. Renders nothing if there are none. */
export function Payments({ payments }: { payments: readonly AccountPaymentJson[] }) {
  const text = useText()
  const { format } = useLanguage()
  if (payments.length === 0) return null
  return (
    <Section title={text('account.payments')}>
      <ul className={css.rows}>
        {payments.map(({ plan, total, state, provider, paidAt }) => (
          <li key={`${paidAt} ${provider}`} className={css.row}>
            <span className={css.main}>{text(plan === 'crypto' ? 'premium.crypto' : `premium.${plan}`)}</span>
            <time dateTime={paidAt}>{dayText(paidAt, format)}</time>
            <span>{provider === 'operator' ? text('account.payment.granted') : moneyText(total, format.locale)}</span>
            {provider === 'operator' && state === 'paid' ? null : (
              <span className={css.mark} data-state={state}>
                {text(`account.payment.${state}`)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
