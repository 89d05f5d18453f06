import type { PaymentProvider } from '#core/billing/payment.ts'
import { DAY } from '#core/time.ts'
import { toDecimal } from '../money.ts'
import type { PaymentPorts } from '../payment-ports.ts'
import { createApi } from './api.ts'
import { languageOf } from './language.ts'
import type { BtcpayOptions } from './options.ts'
import { createRead } from './read.ts'
import { verifyWebhook } from './webhook.ts'

export type { BtcpayOptions } from './options.ts'

/**
 * An invoice may be paid late, or marked by the operator, days after its creation. BTCPay only finds invoices by the
 * time of creation.
 */
const CHANGES_FOR = 7 * DAY
const PAGE = 100

/**
 * Crypto payments through BTCPay Server's Greenfield API. The `ref` of a checkout and of a source is the id of its
 * invoice, which is also the subject.
 */
export function createBtcpay(options: BtcpayOptions, { orders, clock, logger }: PaymentPorts): PaymentProvider {
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
    verify: (body, headers) => verifyWebhook(body, headers, options, clock()),
    read: createRead(api, orders),
    async expire(ref) {
      if ((await api.findInvoice(ref))?.status === 'New') await api.invalidate(ref)
    },
    async *subjectsSince(since) {
      for (let skip = 0; ; skip += PAGE) {
        const page = await api.listInvoices(since - CHANGES_FOR, skip, PAGE)
        yield* page.filter(({ metadata }) => metadata?.orderId !== undefined).map(({ id }) => id)
        if (page.length < PAGE) return
      }
    },
  }
}
