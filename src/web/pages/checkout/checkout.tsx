import { useEffect, useState } from 'react'
import type { OrderState } from '#core/billing/order.ts'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePayload } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { moneyText } from '../../i18n/price.ts'
import { type MessageKey, useLanguage, useText } from '../../i18n/text.tsx'
import { Paid } from './paid.tsx'
import { SandboxCheckout } from './sandbox-checkout.tsx'

/** Milliseconds between two requests for an order that can still change. */
const POLL_INTERVAL = 2000
const WAITING: ReadonlySet<OrderState> = new Set(['open', 'pending'])

/** The next step for the visitor by the state of the order; none while the payment is pending. */
const NEXT: Partial<Record<OrderState, [path: string, words: MessageKey]>> = {
  declined: ['/premium', 'checkout.again'],
  expired: ['/premium', 'checkout.again'],
  underpaid: ['/contact?reason=premium', 'checkout.contact'],
  mismatch: ['/contact?reason=premium', 'checkout.contact'],
  disputed: ['/contact?reason=premium', 'checkout.contact'],
  refunded: ['/premium', 'checkout.again'],
}

/** The state of an order at the payment provider. Polls until the state is final. */
export function Checkout() {
  const text = useText()
  const { code, format } = useLanguage()
  const first = usePayload('checkout').data.order
  const [order, setOrder] = useState(first)
  const { id, state, plan, sandbox } = order
  useEffect(() => {
    if (!WAITING.has(state)) return undefined
    const timer = setInterval(() => {
      // A failed request is repeated at the next interval.
      if (!document.hidden) void accountApi.order(id).then(setOrder, () => {})
    }, POLL_INTERVAL)
    return () => clearInterval(timer)
  }, [id, state])
  const price = moneyText(order.total, format.locale)
  const description =
    plan === 'crypto'
      ? text('checkout.order', {
          plan: text('premium.crypto'),
          price: text('premium.yearsPrice', { years: order.years, price }),
        })
      : text('checkout.order', { plan: text(`premium.${plan}`), price })
  if (sandbox && state === 'open') return <SandboxCheckout order={order} description={description} onOrder={setOrder} />
  if (state === 'paid') return <Paid order={order} description={description} />
  const next = NEXT[state]
  return (
    <div role="status">
      <Notice above={description} title={text(`checkout.${state}`)} words={text(`checkout.${state}.text`)}>
        {next ? (
          <Link className={buttonClass('main')} href={pathIn(code, next[0])}>
            {text(next[1])}
          </Link>
        ) : null}
      </Notice>
    </div>
  )
}
