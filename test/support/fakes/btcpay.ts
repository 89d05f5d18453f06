import { createHmac } from 'node:crypto'
import { type BtcpayBookkeeping, type BtcpayEvent, createBtcpayBooks, type FakeInvoice } from './btcpay/books.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { type Answer, type Call, type FakeServer, page, serve } from './server.ts'

/** A fake BTCPay Server: the Greenfield API of one store, its checkout and its events. */
export interface FakeBtcpay extends FakeServer, Deliveries<BtcpayEvent>, BtcpayBookkeeping {
  storeId: string
  apiKey: string
  webhookSecret: string
  invoices: Map<string, FakeInvoice>
  /** Settings of a program that uses it. */
  env: Record<string, string>
  /** The invoice of an order. */
  invoiceOf(orderId: string): FakeInvoice
  /** Signs any body as an event. */
  sign(body: string, secret?: string): Record<string, string>
}

/** The languages of its checkout. It refuses invoices in other languages. */
const LANGUAGES = (
  'am-ET ar az bg-BG bs-BA ca-ES cs-CZ da-DK de-DE el-GR en es-ES fa fi-FI fr-FR he hi hr-HR hu-HU hy id is-IS it-IT ja-JP ka ' +
  'kk-KZ ko lv nl-NL no np-NP pl pt-BR pt-PT ro ru-RU sk-SK sl-SI sr sv th-TH tr uk-UA vi-VN zh-SG zh-SP zh-TW zu'
).split(' ')

export async function startFakeBtcpay({ clock = () => Date.now() } = {}): Promise<FakeBtcpay> {
  const storeId = 'FakeStore1111111111111111111111'
  const apiKey = 'fake-api-key'
  const webhookSecret = 'fake-webhook-secret'
  const sign: FakeBtcpay['sign'] = (body, secret = webhookSecret) => ({
    'btcpay-sig': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  })
  const deliveries = createDeliveries<BtcpayEvent>((event) => {
    const body = JSON.stringify(event)
    return { body, headers: sign(body) }
  })
  const { invoices, ...bookkeeping } = createBtcpayBooks(storeId, clock, (event) => deliveries.add(event))

  /** All paths start with `/btcpay`, as behind a proxy that also has other services. */
  const prefix = `/btcpay/api/v1/stores/${storeId}/invoices`

  function api({ method, path, query, headers, body }: Call): Answer {
    if (headers.authorization !== `token ${apiKey}`) return { status: 401, json: { code: 'unauthenticated' } }
    if (!path.startsWith(prefix)) return { status: 403, json: { code: 'missing-permission' } }
    const [id = '', part] = path.slice(prefix.length + 1).split('/')
    if (id === '') {
      if (method === 'POST') return create(JSON.parse(body) as FakeInvoice)
      const since = Number(query.get('startDate') ?? 0)
      const kept = [...invoices.values()].filter(({ archived }) => !archived)
      const found = kept.filter(({ createdTime }) => createdTime >= since).toReversed()
      const skip = Number(query.get('skip') ?? 0)
      return { json: found.slice(skip, skip + Number(query.get('take') ?? 50)).map(json) }
    }
    const invoice = invoices.get(id)
    if (!invoice) return { status: 404, json: { code: 'invoice-not-found', message: 'The invoice was not found' } }
    if (method === 'PUT') invoice.metadata = (JSON.parse(body) as Pick<FakeInvoice, 'metadata'>).metadata
    if (part === 'status') bookkeeping.mark(id, (JSON.parse(body) as { status: 'Settled' | 'Invalid' }).status)
    return { json: part === 'payment-methods' ? invoice.methods : json(invoice) }
  }

  function create(invoice: FakeInvoice): Answer {
    const { defaultLanguage: language } = invoice.checkout
    if (language === undefined || LANGUAGES.includes(language)) return { json: json(bookkeeping.create(invoice)) }
    return {
      status: 422,
      json: [{ path: 'checkout.defaultLanguage', message: 'The requested defaultLang does not exists' }],
    }
  }

  const json = ({ methods: _methods, ...invoice }: FakeInvoice) => ({
    ...invoice,
    checkoutLink: `${server.url}/btcpay/i/${invoice.id}`,
  })

  function checkoutPage({ method, path }: Call): Answer {
    const [id = '', action] = path.slice('/btcpay/i/'.length).split('/')
    const invoice = invoices.get(id)
    if (!invoice) return { status: 404, html: 'Not found' }
    if (invoice.status === 'Invalid') return page('Fake BTCPay: invalid', {})
    if (method === 'GET') return page('Fake BTCPay', { Pay: `/btcpay/i/${id}/pay`, Decline: `/btcpay/i/${id}/decline` })
    if (action === 'pay') bookkeeping.pay(id)
    else bookkeeping.expire(id)
    return { location: invoice.checkout.redirectURL }
  }

  const server = await serve(/\/api\//, (call) => (call.path.includes('/api/') ? api(call) : checkoutPage(call)))
  return Object.assign(deliveries, { ...server, url: `${server.url}/btcpay/` }, bookkeeping, {
    storeId,
    apiKey,
    webhookSecret,
    invoices,
    env: {
      MAYFLY_BTCPAY_URL: `${server.url}/btcpay/`,
      MAYFLY_BTCPAY_STORE_ID: storeId,
      MAYFLY_BTCPAY_API_KEY: apiKey,
      MAYFLY_BTCPAY_WEBHOOK_SECRET: webhookSecret,
    },
    invoiceOf(orderId: string) {
      const invoice = [...invoices.values()].find(({ metadata }) => metadata.orderId === orderId)
      if (!invoice) throw new Error(`The fake has no invoice of ${orderId}`)
      return invoice
    },
    sign,
  })
}
