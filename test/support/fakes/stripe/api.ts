import type { Stripe } from 'stripe'
import type { Answer, Call } from '../server.ts'
import type { Books } from './books.ts'
import { parseForm } from './form.ts'
import { list, made, newId } from './objects.ts'

interface ApiOptions {
  secretKey: string
  books: Books
  /** Oldest first. */
  events: readonly Stripe.Event[]
  clock: () => number
  url: () => string
  /** The maximum page length, so that tests page with few objects. */
  pageMax: () => number
  expire: (sessionId: string) => void
  end: (subscriptionId: string) => void
}

type Params = ReturnType<typeof parseForm>

const problem = (status: number, code: string, message: string, param?: string): Answer => ({
  status,
  json: { error: { type: status === 401 ? 'authentication_error' : 'invalid_request_error', code, message, param } },
})

const missing = (id: string): Answer => problem(404, 'resource_missing', `No such thing: '${id}'`, 'id')

/** The calls of Stripe's API that Mayfly makes: form-encoded, with idempotency keys, pages and expansions. */
export function createApi({ secretKey, books, events, clock, url, pageMax, expire, end }: ApiOptions) {
  const idempotent = new Map<string, { params: string; answer: Answer }>()
  const now = (): number => Math.floor(clock() / 1000)

  function createSession(params: Params): Answer {
    const { metadata, customer_email: email, client_reference_id: reference, success_url, cancel_url } = params
    const [item] = params['line_items'] as unknown as { price: string }[]
    const price = item && books.prices.get(item.price)
    if (!price) return problem(400, 'resource_missing', 'No such price', 'line_items[0][price]')
    if (!String(email).includes('@'))
      return problem(400, 'email_invalid', `Invalid email address: ${String(email)}`, 'customer_email')
    const id = newId('cs_test')
    const session = made<Stripe.Checkout.Session>('checkout.session', now(), {
      id,
      amount_subtotal: price.unit_amount,
      amount_total: price.unit_amount,
      automatic_tax: { enabled: (params['automatic_tax'] as Params)['enabled'] === 'true' } as never,
      cancel_url: cancel_url as string,
      client_reference_id: reference as string,
      currency: price.currency,
      customer: null,
      customer_email: email as string,
      expires_at: now() + 86_400,
      locale: params['locale'] as string,
      metadata: (metadata ?? {}) as Stripe.Metadata,
      mode: params['mode'] as Stripe.Checkout.Session.Mode,
      payment_status: 'unpaid',
      status: 'open',
      subscription: null,
      success_url: success_url as string,
      url: `${url()}/pay/${id}`,
    })
    const data = (params['subscription_data'] ?? {}) as { metadata?: Stripe.Metadata }
    books.sold.set(id, { price: price.id, metadata: data.metadata ?? {} })
    books.sessions.set(id, session)
    return { json: session }
  }

  /** Newest first, starting after `starting_after`. */
  function paged<T extends { id: string }>(things: T[], query: URLSearchParams, path: string): Answer {
    const after = query.get('starting_after')
    const start = after === null ? 0 : things.findIndex(({ id }) => id === after) + 1
    const size = Math.min(Number(query.get('limit') ?? 10), pageMax())
    return { json: list(things.slice(start, start + size), path, start + size < things.length) }
  }

  /** Payments of an invoice are included only on request. */
  const invoiceJson = (invoice: Stripe.Invoice, expand: boolean): Stripe.Invoice => {
    const { payments, ...rest } = invoice
    return (expand ? { ...rest, payments } : rest) as Stripe.Invoice
  }

  const lists: Record<string, (query: URLSearchParams) => { id: string }[]> = {
    prices: (query) => {
      const keys = new Set([...query].filter(([name]) => name.startsWith('lookup_keys[')).map(([, key]) => key))
      const active = query.get('active') ?? undefined
      return [...books.prices.values()].filter(
        (price) => keys.has(price.lookup_key ?? '') && (active === undefined || String(price.active) === active),
      )
    },
    subscriptions: () => [...books.subscriptions.values()],
    invoices: (query) =>
      [...books.invoices.values()]
        .filter(({ parent }) => parent?.subscription_details?.subscription === query.get('subscription'))
        .map((invoice) => invoiceJson(invoice, query.get('expand[0]') === 'data.payments')),
    charges: (query) => [...books.charges.values()].filter(({ customer }) => customer === query.get('customer')),
    disputes: (query) => [...books.disputes.values()].filter(({ charge }) => charge === query.get('charge')),
    invoice_payments: (query) =>
      [...books.invoicePayments.values()].filter(
        ({ payment }) => payment.payment_intent === query.get('payment[payment_intent]'),
      ),
    events: (query) => {
      const types = new Set([...query].filter(([name]) => name.startsWith('types[')).map(([, type]) => type))
      const since = Number(query.get('created[gte]') ?? 0)
      return events.filter(({ type, created }) => types.has(type) && created >= since)
    },
  }

  const things: Record<string, ReadonlyMap<string, object>> = {
    prices: books.prices,
    'checkout/sessions': books.sessions,
    subscriptions: books.subscriptions,
    charges: books.charges,
    disputes: books.disputes,
  }

  function read({ path, query }: Call): Answer {
    const [, kind = '', id] = /^\/v1\/(checkout\/sessions|[a-z_]+)(?:\/(\w+))?$/.exec(path) ?? []
    if (id === undefined) return lists[kind] ? paged(lists[kind](query).toReversed(), query, path) : missing(path)
    if (kind === 'invoices') {
      const invoice = books.invoices.get(id)
      return invoice ? { json: invoiceJson(invoice, false) } : missing(id)
    }
    const thing = things[kind]?.get(id)
    return thing ? { json: thing } : missing(id)
  }

  function expireSession(id: string): Answer {
    const session = books.sessions.get(id)
    if (!session) return missing(id)
    if (session.status !== 'open')
      return problem(400, 'resource_invalid', 'Only Checkout Sessions with a status of open can be expired.')
    expire(id)
    return { json: session }
  }

  function write({ path, body }: Call): Answer {
    const params = parseForm(body)
    if (path === '/v1/checkout/sessions') return createSession(params)
    if (path === '/v1/billing_portal/sessions') {
      const customer = String(params['customer'])
      if (![...books.subscriptions.values()].some((subscription) => subscription.customer === customer))
        return problem(400, 'resource_missing', 'No such customer', 'customer')
      const back = encodeURIComponent(String(params['return_url']))
      return {
        json: { id: newId('bps'), object: 'billing_portal.session', url: `${url()}/portal/${customer}?back=${back}` },
      }
    }
    const [, sessionId] = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path) ?? []
    if (sessionId !== undefined) return expireSession(sessionId)
    return missing(path)
  }

  /** Cancels a subscription immediately. Stripe does not find one that was canceled before. */
  function remove({ path }: Call): Answer {
    const [, id = ''] = /^\/v1\/subscriptions\/(\w+)$/.exec(path) ?? []
    const subscription = books.subscriptions.get(id)
    if (!subscription || subscription.ended_at !== null) return missing(id)
    end(id)
    return { json: subscription }
  }

  return (call: Call): Answer => {
    if (call.headers.authorization !== `Bearer ${secretKey}`)
      return problem(401, 'api_key_invalid', 'Invalid API Key provided')
    if (call.method === 'GET') return read(call)
    if (call.method === 'DELETE') return remove(call)
    const key = call.headers['idempotency-key'] as string | undefined
    const known = key === undefined ? undefined : idempotent.get(key)
    if (known && known.params !== call.path + call.body)
      return problem(
        400,
        'idempotency_key_in_use',
        'Keys for idempotent requests can only be used with the same parameters.',
      )
    if (known) return known.answer
    const answer = write(call)
    if (key !== undefined) idempotent.set(key, { params: call.path + call.body, answer: structuredClone(answer) })
    return answer
  }
}
