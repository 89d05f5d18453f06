import { type Static, Type } from 'typebox'
import { PLANS } from '#core/billing/plan.ts'
import { PROVIDER_NAMES } from '#core/billing/provider.ts'
import { moneyRef } from './orders.ts'

const time = Type.String({ format: 'date-time' })

export const signInRequest = Type.Object(
  { email: Type.String({ maxLength: 1000 }), lang: Type.Optional(Type.String({ maxLength: 10 })) },
  { additionalProperties: false, $id: 'SignInRequest' },
)

export const signInLink = Type.Object(
  {
    token: Type.Optional(Type.String({ maxLength: 100, description: 'Of the link' })),
    code: Type.Optional(Type.String({ maxLength: 100, description: 'Of the email; spaces do not matter' })),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1, $id: 'SignInLink' },
)

export const accountSession = Type.Object(
  {
    id: Type.String(),
    label: Type.String({ description: 'Browser and system, such as `Firefox, Linux`' }),
    createdAt: time,
    seenAt: time,
    current: Type.Boolean({ description: 'The one that asks' }),
  },
  { $id: 'AccountSession' },
)
export type AccountSessionJson = Static<typeof accountSession>

export const accountPayment = Type.Object(
  {
    plan: Type.Enum([...PLANS]),
    total: moneyRef,
    state: Type.Enum(['paid', 'refunded', 'disputed']),
    provider: Type.Enum([...PROVIDER_NAMES]),
    paidAt: time,
  },
  { $id: 'AccountPayment' },
)
export type AccountPaymentJson = Static<typeof accountPayment>

/**
 * `active`: the benefits apply. `ending`: they apply, and will not be renewed. `failing`: a renewal fails, and they
 * still apply. `ended`: only the addresses are kept, for a while. `lapsed`: the free rules apply.
 */
export const SUBSCRIPTION_STATES = ['active', 'ending', 'failing', 'ended', 'lapsed'] as const

export const account = Type.Object(
  {
    email: Type.String(),
    confirmed: Type.Boolean({
      description: 'Whether somebody signed in by an email to it; before that, only the browser that paid is signed in',
    }),
    state: Type.Enum([...SUBSCRIPTION_STATES]),
    plan: Type.Union([Type.Enum([...PLANS]), Type.Null()]),
    paidUntil: Type.Union([time, Type.Null()]),
    renews: Type.Boolean(),
    lapsesAt: Type.Union([time, Type.Null()], { description: 'When the addresses fall back to the free rules' }),
    portal: Type.Boolean({ description: 'Whether POST /account/portal leads anywhere' }),
    storage: Type.Object({ usedBytes: Type.Integer(), limitBytes: Type.Integer() }),
    limits: Type.Object({ addresses: Type.Integer(), domains: Type.Integer() }),
    payments: Type.Array(Type.Unsafe<AccountPaymentJson>({ $ref: 'AccountPayment#' })),
    sessions: Type.Array(Type.Unsafe<AccountSessionJson>({ $ref: 'AccountSession#' })),
  },
  { $id: 'Account' },
)
export type AccountJson = Static<typeof account>

export const portalLink = Type.Object({ url: Type.String() }, { $id: 'PortalLink' })

export const eraseRequest = Type.Object(
  { email: Type.String({ maxLength: 1000, description: 'Of the account, so that nobody erases by mistake' }) },
  { additionalProperties: false, $id: 'EraseRequest' },
)
