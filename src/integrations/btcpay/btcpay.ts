import { toDecimal } from '#core/billing/currency.ts'
import type { PaymentProvider } from '#core/billing/payment.ts'
import { MayflyError } from '#core/errors.ts'
import { DAY } from '#core/time.ts'
import type { PaymentPorts } from '../payment-ports.ts'
import { createApi } from './api.ts'
import type { BtcpayOptions } from './options.ts'
import { verifyPaymentEvent } from './payment-event.ts'
import { createRead, paymentsOf } from './read.ts'

export type { BtcpayOptions } from './options.ts'

/**
 * An invoice may be paid late, or marked by the operator, some days after its creation, but BTCPay can list invoices
 * only by their creation time.
 */
const CHANGES_FOR = 7 * DAY
const PAGE = 100

/**
 * Mayfly's languages that BTCPay's checkout supports, with BTCPay's codes. BTCPay rejects an invoice with another code.
 */
const LANGUAGES = new Map(
  'am-ET ar de-DE en es-ES fa fr-FR hi id it-IT ja-JP ko nl-NL pl pt-BR ro ru-RU th-TH tr uk-UA vi-VN'
    .split(' ')
    .map((name) => [name.slice(0, 2), name]),
)
  .set('zh', 'zh-SG')
  .set('zh-TW', 'zh-TW')

/** Returns BTCPay's code of a language. Undefined: the default language of the store. */
const languageOf = (code: string): string | undefined => LANGUAGES.get(code)

/**
 * Crypto payments through BTCPay Server's Greenfield API. The id of the invoice is the `ref` of a checkout, the `ref`
 * of a source, and the subject.
 */
export function createBtcpay(
  options: BtcpayOptions,
  { orders, subscriptions, clock, logger }: PaymentPorts,
): PaymentProvider {
  const api = createApi(options, logger)
  return {
    name: 'btcpay',
    plans: ['crypto'],
    async checkout({ order, doneUrl }) {
      const { id, checkoutLink } = await api.createInvoice({
        amount: toDecimal(order.total),
        currency: order.total.currency,
        metadata: { orderId: order.id },
        checkout: {
          redirectURL: doneUrl,
          redirectAutomatically: true,
          defaultLanguage: languageOf(order.language),
          expirationMinutes: options.expirationMinutes,
          speedPolicy: options.speedPolicy,
        },
      })
      return { ref: id, url: checkoutLink }
    },
    verify: (body, headers) => verifyPaymentEvent(body, headers, options, clock()),
    read: createRead(api, orders, subscriptions, clock),
    async expire(ref) {
      const invoice = await api.findInvoice(ref)
      if (invoice?.status !== 'New') return
      if (paymentsOf(await api.paymentMethods(ref)).length > 0) throw new MayflyError('payment_pending')
      await api.close(invoice)
    },
    async *subjectsSince(since) {
      for (let skip = 0; ; skip += PAGE) {
        const batch = await api.listInvoices(since - CHANGES_FOR, skip, PAGE)
        yield* batch.filter(({ metadata }) => metadata?.orderId !== undefined).map(({ id }) => id)
        if (batch.length < PAGE) return
      }
    },
  }
}
