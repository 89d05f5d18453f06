import type { Draft, PlansJson } from '#contract/pages.ts'
import { stepOf } from '#core/billing/currency.ts'
import { type Plan, PLANS } from '#core/billing/plan.ts'
import { Field } from '../../components/field.tsx'
import { priceFormat } from '../../i18n/price.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import fields from '../../components/field.module.css'
import css from './plan-form.module.css'

/** The available plans with their prices. For crypto also the number of years. */
export function PlanChoice({ plans, draft }: { plans: PlansJson; draft: Draft }) {
  const text = useText()
  const { locale } = useLanguage().format
  const price = priceFormat(locale, plans.currency)
  const percent = (part: number): string =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(part)
  const saved = Math.floor((1 - plans.year / (12 * plans.month)) * 100) / 100
  const step = stepOf(plans.currency)
  const words: Record<Plan, [string, string]> = {
    month: [text('premium.month'), text('premium.perMonth', { price: price(plans.month) })],
    year: [text('premium.year'), text('premium.perYear', { price: price(plans.year) })],
    crypto: [text('premium.crypto'), text('premium.perYear', { price: price(plans.cryptoYear) })],
  }
  const sold = PLANS.filter((plan) => plans.sold.includes(plan))
  const chosen = sold.find((plan) => plan === (draft.plan ?? 'year')) ?? sold[0]
  const { tax } = plans
  return (
    <>
      <fieldset className={css.plans}>
        <legend>{text('premium.period')}</legend>
        {sold.map((plan) => (
          <label key={plan} className={css.plan}>
            <input type="radio" name="plan" value={plan} required defaultChecked={plan === chosen} />
            <span>
              {words[plan][0]}
              {plan === 'year' && saved >= 0.01 ? (
                <strong className={css.save}>{text('premium.save', { percent: percent(saved) })}</strong>
              ) : null}
            </span>
            <span className={css.price}>{words[plan][1]}</span>
            {plan === 'year' && !plans.sandbox ? (
              <span className={css.monthly}>
                {/* Rounded up, so that it never promises too little. */}
                {text('premium.yearMonthly', { price: price(Math.ceil(plans.year / 12 / step) * step) })}
              </span>
            ) : null}
            <span className={css.how}>
              {text(plan === 'crypto' || plans.sandbox ? 'premium.once' : 'premium.renews')}
            </span>
          </label>
        ))}
      </fieldset>
      {tax.percent > 0 ? (
        <p className={fields.hint}>
          {text(tax.added ? 'premium.taxAdded' : 'premium.taxIncluded', { percent: percent(tax.percent / 100) })}
        </p>
      ) : null}
      {sold.includes('crypto') ? (
        <Field className={css.years} label={text('premium.years')}>
          {(control) => (
            <select name="years" defaultValue={draft.years} {...control}>
              {Array.from({ length: plans.cryptoYearsMax }, (_, before) => before + 1).map((years) => (
                <option key={years} value={years}>
                  {text('premium.yearsPrice', { years, price: price(years * plans.cryptoYear) })}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : null}
    </>
  )
}
