import { type FormEvent, useEffect, useId } from 'react'
import type { NewOrderJson, OrderRequestJson } from '#contract/orders.ts'
import type { Draft, PremiumData } from '#contract/pages.ts'
import type { Plan } from '#core/billing/plan.ts'
import { pathIn } from '#locales/languages.ts'
import { call, json } from '../../api/api.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { EmailInput } from '../../components/email-input.tsx'
import { Field } from '../../components/field.tsx'
import { Link } from '../../components/link.tsx'
import { ProblemLine, problemText } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { dayText } from '../../i18n/day.ts'
import { isolated } from '../../i18n/isolate.ts'
import { sizeText } from '../../i18n/size.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { leaveFor } from '../../navigation/leave-for.ts'
import { PlanChoice } from './plan-choice.tsx'
import fields from '../../components/field.module.css'
import css from './plan-form.module.css'

const orderOf = (form: HTMLFormElement, lang: string): OrderRequestJson => {
  const { plan = '', years, email, account } = Object.fromEntries(new FormData(form)) as Record<string, string>
  return {
    plan: plan as Plan,
    lang,
    ...(email === undefined ? {} : { email }),
    ...(account === undefined ? {} : { account }),
    ...(plan === 'crypto' ? { years: Number(years) } : {}),
  }
}

interface Props extends Pick<PremiumData, 'plans' | 'account'> {
  /** The id of the form, if its button is elsewhere. */
  formId?: string
  onBusy?: (busy: boolean) => void
}

/** The form that chooses a plan and leads to the payment. It asks for the email address unless somebody is signed in. */
export function PlanForm({ plans, account, formId, onBusy }: Props) {
  const text = useText()
  const { code, format } = useLanguage()
  const { payload } = usePage()
  const id = useId()
  const own = payload.page === 'premium' ? payload : undefined
  const draft: Draft = own?.data.draft ?? {}
  const { busy, problem, attempt } = useAttempt(own?.problem ?? null)
  const isWrong = problem?.code === 'email_invalid' || problem?.code === 'email_ours'
  const wrongEmail = account === null && isWrong ? problemText(problem, text) : undefined

  useEffect(() => onBusy?.(busy), [busy, onBusy])

  async function order(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const request = orderOf(event.currentTarget, code)
    await attempt(async () => {
      const { url } = await json<NewOrderJson>(call('POST', '/orders', request))
      await leaveFor(url)
    })
  }

  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={css.title}>
        {text('premium.title')}
      </h2>
      <ul className={css.gives}>
        <li>{text('premium.addresses', { count: plans.addresses })}</li>
        <li>{text('premium.storage', { size: sizeText(plans.storageBytes, format.locale) })}</li>
        <li>{text('premium.messages', { size: sizeText(plans.messageBytes, format.locale) })}</li>
      </ul>
      {plans.sold.length === 0 ? (
        <p className={css.note}>{text('premium.notSold')}</p>
      ) : (
        <form
          id={formId}
          method="post"
          action="/actions/order"
          className={`${fields.form} ${css.form}`}
          onSubmit={(event) => void order(event)}
        >
          <input type="hidden" name="lang" value={code} />
          {plans.sandbox ? <p className={css.note}>{text('premium.sandbox')}</p> : null}
          <PlanChoice plans={plans} draft={draft} />
          {account === null ? (
            <Field label={text('premium.email')} hint={text('premium.emailHint')} problem={wrongEmail}>
              {(control) => <EmailInput required value={draft.email} {...control} />}
            </Field>
          ) : (
            <>
              <input type="hidden" name="account" value={account.id} />
              <p className={css.account}>{text('premium.account', { email: isolated(account.email) })}</p>
            </>
          )}
          <p className={fields.hint}>
            {account?.paidUntil
              ? text('premium.extendText', { date: dayText(account.paidUntil, format) })
              : text('premium.buyText')}
          </p>
          <ProblemLine problem={wrongEmail === undefined ? problem : null} />
          {formId === undefined ? (
            <div className={fields.actions}>
              <Button type="submit" look="main" disabled={busy}>
                {text('premium.buy')}
              </Button>
            </div>
          ) : null}
        </form>
      )}
      {payload.site.account ? null : (
        <p className={css.signIn}>
          <Link href={pathIn(code, '/account')}>{text('premium.signIn')}</Link>
        </p>
      )}
    </section>
  )
}
