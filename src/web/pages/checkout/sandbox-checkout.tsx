import type { FormEvent } from 'react'
import type { OrderJson } from '#contract/orders.ts'
import { SANDBOX_OUTCOMES } from '#core/billing/order.ts'
import { accountApi } from '../../api/account-api.ts'
import { Button } from '../../components/button.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import fields from '../../components/field.module.css'
import css from './sandbox-checkout.module.css'

interface Props {
  order: OrderJson
  /** The order's plan and price as text. */
  description: string
  onOrder: (order: OrderJson) => void
}

/** Replaces a payment provider in the sandbox. Each button simulates one outcome. */
export function SandboxCheckout({ order, description, onOrder }: Props) {
  const text = useText()
  const { code } = useLanguage()
  const { busy, problem, attempt } = useAttempt()
  // Only crypto payments can be partial.
  const outcomes = SANDBOX_OUTCOMES.filter((outcome) => outcome !== 'underpaid' || order.plan === 'crypto')

  async function simulate(event: FormEvent): Promise<void> {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const chosen = outcomes.find((outcome) => outcome === submitter?.getAttribute('value'))
    if (!chosen) return
    await attempt(async () => {
      await accountApi.simulatePayment(order.id, chosen)
      onOrder(await accountApi.order(order.id))
    })
  }

  return (
    <section className={fields.column} aria-labelledby="checkout-title">
      <div className={fields.head}>
        <h1 id="checkout-title">{text('checkout.sandbox')}</h1>
        <p className={css.what}>{description}</p>
        <p className={fields.intro}>{text('checkout.sandbox.text')}</p>
      </div>
      <form method="post" action="/actions/sandbox" className={css.outcomes} onSubmit={(event) => void simulate(event)}>
        <input type="hidden" name="lang" value={code} />
        <input type="hidden" name="order" value={order.id} />
        {outcomes.map((outcome) => (
          <Button
            key={outcome}
            type="submit"
            name="outcome"
            value={outcome}
            look={outcome === 'paid' ? 'main' : 'plain'}
            disabled={busy}
          >
            {text(`checkout.pay.${outcome}`)}
          </Button>
        ))}
      </form>
      <ProblemLine problem={problem} />
    </section>
  )
}
