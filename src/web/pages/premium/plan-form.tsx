import { useId } from 'react'
import type { PlansJson } from '#contract/pages.ts'
import { PLANS } from '#core/plan.ts'
import { EmailInput } from '../../components/email-input.tsx'
import { Field } from '../../components/field.tsx'
import fields from '../../components/field.module.css'
import { SupportForm } from '../../components/support-form.tsx'
import { sizeText } from '../../i18n/size.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import css from './plan-form.module.css'

/** Writes a price that is in the smallest unit of its currency, such as cents; as one piece within text of either direction. */
function priceFormat(locale: string, currency: string): (price: number) => string {
  const style = { style: 'currency', currency } as const
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat(locale, style).resolvedOptions()
  const format = new Intl.NumberFormat(locale, { ...style, trailingZeroDisplay: 'stripIfInteger' })
  return (price) => `\u2066${format.format(price / 10 ** digits)}\u2069`
}

/** Choose a plan and ask for it; the operator answers with the way to pay. */
export function PlanForm({ plans }: { plans: PlansJson }) {
  const text = useText()
  const { locale } = useLanguage().format
  const id = useId()
  const price = priceFormat(locale, plans.currency)
  const saved = 1 - plans.year / (12 * plans.month)
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(Math.floor(saved * 100) / 100)
  const words = {
    month: [text('premium.month'), text('premium.perMonth', { price: price(plans.month) })],
    year: [text('premium.year'), text('premium.perYear', { price: price(plans.year) })],
    crypto: [text('premium.crypto'), text('premium.perYear', { price: price(plans.cryptoYear) })],
  } satisfies Record<(typeof PLANS)[number], [string, string]>
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={css.title}>
        {text('premium.title')}
      </h2>
      <ul className={css.gives}>
        <li>{text('premium.addresses', { count: plans.addresses })}</li>
        <li>{text('premium.storage', { size: sizeText(plans.storageBytes, locale) })}</li>
      </ul>
      <SupportForm
        kind="premium"
        className={css.form}
        action={text('premium.request')}
        sent={{ title: text('premium.sent'), text: text('premium.sentText') }}
      >
        {({ problemAt, draft }) => (
          <>
            <fieldset className={css.plans} aria-describedby={problemAt('plan') && `${id}problem`}>
              <legend>{text('premium.period')}</legend>
              {PLANS.map((plan) => (
                <label key={plan} className={css.plan}>
                  <input
                    type="radio"
                    name="plan"
                    value={plan}
                    required
                    defaultChecked={plan === (draft.plan ?? 'year')}
                  />
                  <span>{words[plan][0]}</span>
                  {plan === 'year' && saved >= 0.01 ? (
                    <strong className={css.save}>{text('premium.save', { percent })}</strong>
                  ) : null}
                  <span className={css.price}>{words[plan][1]}</span>
                </label>
              ))}
              {problemAt('plan') === undefined ? null : (
                <p id={`${id}problem`} className={fields.problem}>
                  {problemAt('plan')}
                </p>
              )}
            </fieldset>
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
            <Field label={text('premium.email')} hint={text('premium.emailHint')} problem={problemAt('email')}>
              {(control) => <EmailInput required value={draft.email} {...control} />}
            </Field>
            <p className={fields.hint}>{text('premium.requestText')}</p>
          </>
        )}
      </SupportForm>
    </section>
  )
}
