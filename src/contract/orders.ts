import { type Static, Type } from 'typebox'
import { ORDER_STATES } from '#core/billing/order.ts'
import { PLANS } from '#core/billing/plan.ts'

export const money = Type.Object(
  {
    amount: Type.Integer({ minimum: 0, description: 'In the smallest unit of the currency, such as cents' }),
    currency: Type.String({ description: 'ISO 4217' }),
  },
  { $id: 'Money' },
)
export type MoneyJson = Static<typeof money>
export const moneyRef = Type.Unsafe<MoneyJson>({ $ref: 'Money#' })

export const orderRequest = Type.Object(
  {
    plan: Type.Enum([...PLANS]),
    years: Type.Optional(Type.Integer({ description: 'For the plan `crypto`' })),
    email: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'The real email of the subscription: the way to sign in. Not needed while signed in',
      }),
    ),
    lang: Type.Optional(Type.String({ maxLength: 10, description: 'Language of the mails, such as `en`' })),
  },
  { additionalProperties: false, $id: 'OrderRequest' },
)
export type OrderRequestJson = Static<typeof orderRequest>

export const newOrder = Type.Object(
  { id: Type.String(), url: Type.String({ description: "The provider's checkout" }) },
  { $id: 'NewOrder' },
)
export type NewOrderJson = Static<typeof newOrder>

export const order = Type.Object(
  {
    id: Type.String(),
    plan: Type.Enum([...PLANS]),
    years: Type.Integer(),
    total: moneyRef,
    state: Type.Enum([...ORDER_STATES]),
    /** Whether the built-in checkout plays the provider. */
    sandbox: Type.Boolean({ description: 'No money moves' }),
    signsIn: Type.Boolean({
      description: 'Whether `POST /orders/{id}/session` signs in the browser that asks: it placed and paid this order',
    }),
  },
  { $id: 'Order' },
)
export type OrderJson = Static<typeof order>

/** The outcomes that the sandbox's checkout can play. */
export const SANDBOX_OUTCOMES = ['paid', 'declined', 'expired', 'underpaid'] as const
export const sandboxRequest = Type.Object(
  { outcome: Type.Enum([...SANDBOX_OUTCOMES]) },
  { additionalProperties: false, $id: 'SandboxRequest' },
)
