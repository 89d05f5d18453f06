import { type Static, Type } from 'typebox'
import { ORDER_STATES, SANDBOX_OUTCOMES } from '#core/billing/order.ts'
import { PLANS } from '#core/billing/plan.ts'

export const money = Type.Object(
  {
    amount: Type.Integer({ minimum: 0, description: 'The amount as Stripe counts it: in cents, or in whole yen' }),
    currency: Type.String({ description: 'The currency (ISO 4217)' }),
  },
  { $id: 'Money', description: 'An amount of money', examples: [{ amount: 900, currency: 'USD' }] },
)
export type MoneyJson = Static<typeof money>
export const moneyRef = Type.Unsafe<MoneyJson>({ $ref: 'Money#' })

export const orderRequest = Type.Object(
  {
    plan: Type.Enum([...PLANS], { description: 'The plan' }),
    years: Type.Optional(Type.Integer({ description: 'The number of years, for the plan `crypto`' })),
    email: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'The real email address of the subscription. You sign in with it. Not needed while signed in.',
      }),
    ),
    account: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The id of the account that the page shows. Refused if another one, or none, is signed in.',
      }),
    ),
    lang: Type.Optional(Type.String({ maxLength: 10, description: 'The language of emails, such as `en`' })),
  },
  { additionalProperties: false, $id: 'OrderRequest', description: 'The order' },
)
export type OrderRequestJson = Static<typeof orderRequest>

export const newOrder = Type.Object(
  {
    id: Type.String({ description: 'The id of the order' }),
    url: Type.String({ description: 'The URL of the checkout' }),
  },
  { $id: 'NewOrder', description: 'A new order and its checkout' },
)
export type NewOrderJson = Static<typeof newOrder>

export const order = Type.Object(
  {
    id: Type.String({ description: 'The id of the order' }),
    plan: Type.Enum([...PLANS], { description: 'The plan' }),
    years: Type.Integer({ description: 'The number of years, or 0' }),
    total: moneyRef,
    state: Type.Enum([...ORDER_STATES], { description: 'The state of the order' }),
    sandbox: Type.Boolean({ description: 'Whether the built-in test checkout is used, in which no money moves' }),
    forAccount: Type.Boolean({ description: 'Whether the order is for the account that is signed in' }),
    signsIn: Type.Boolean({
      description: 'Whether `POST /orders/{id}/session` signs in this browser: it placed and paid the order',
    }),
  },
  { $id: 'Order', description: 'An order' },
)
export type OrderJson = Static<typeof order>

export const orderId = Type.Object({ id: Type.String({ description: 'The `id` of the order' }) })
export const sandboxOrder = Type.Object({ order: Type.String({ description: 'The `id` of the order' }) })

export const sandboxRequest = Type.Object(
  { outcome: Type.Enum([...SANDBOX_OUTCOMES], { description: 'The result to simulate' }) },
  { additionalProperties: false, $id: 'SandboxRequest', description: 'The result of a test checkout' },
)
