import { type Static, Type } from 'typebox'
import { PLANS } from '#core/billing/plan.ts'
import { PROVIDER_NAMES } from '#core/billing/provider.ts'
import { moneyRef } from './orders.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })

export const signInRequest = Type.Object(
  {
    email: Type.String({ maxLength: 1000, description: 'The email address of the subscription' }),
    lang: Type.Optional(Type.String({ maxLength: 10, description: 'The language of the email, such as `en`' })),
  },
  { additionalProperties: false, $id: 'SignInRequest', description: 'A request for a sign-in link' },
)

export const signInLink = Type.Object(
  {
    token: Type.Optional(Type.String({ maxLength: 100, description: 'The token in the link' })),
    code: Type.Optional(Type.String({ maxLength: 100, description: 'The code in the email. Spaces are ignored.' })),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    $id: 'SignInLink',
    description: 'Either the token or the code',
  },
)

export const shownAccount = Type.Object({
  account: Type.Optional(
    Type.String({ description: 'The id of the account that the page shows. Others are refused.' }),
  ),
})

export const accountSession = Type.Object(
  {
    id: Type.String({ description: 'The id of the session' }),
    label: Type.String({ description: 'The browser and the operating system, such as `Firefox, Linux`' }),
    createdAt: time('When the browser signed in'),
    seenAt: time('When the session was last used'),
    current: Type.Boolean({ description: 'Whether it is the session of this request' }),
  },
  { $id: 'AccountSession', description: 'A signed-in browser' },
)
export const sessionId = Type.Object({ id: Type.String({ description: 'The `id` of the session' }) })
export type AccountSessionJson = Static<typeof accountSession>

export const accountPayment = Type.Object(
  {
    plan: Type.Enum([...PLANS], { description: 'The plan that was paid for' }),
    total: moneyRef,
    state: Type.Enum(['paid', 'refunded', 'disputed'], { description: 'The state of the payment' }),
    provider: Type.Enum([...PROVIDER_NAMES], { description: 'The payment service' }),
    paidAt: time('When it was paid'),
  },
  { $id: 'AccountPayment', description: 'A payment' },
)
export type AccountPaymentJson = Static<typeof accountPayment>

/**
 * `active`: the benefits apply. `ending`: they apply, and will not be renewed. `failing`: a renewal fails, and they
 * still apply. `ended`: only the addresses are kept, for a while. `lapsed`: the free rules apply.
 */
const SUBSCRIPTION_STATES = ['active', 'ending', 'failing', 'ended', 'lapsed'] as const

export const account = Type.Object(
  {
    email: Type.String({ description: 'The email address of the subscription' }),
    confirmed: Type.Boolean({
      description: 'Whether someone signed in by an email to it. Before that, only the browser that paid is signed in.',
    }),
    state: Type.Enum([...SUBSCRIPTION_STATES], {
      description:
        '`active`: Premium applies. `ending`: it applies, and will not be renewed. `failing`: it applies, but a renewal failed. `ended`: the addresses are kept until `lapsesAt`. `lapsed`: the free rules apply.',
    }),
    plan: Type.Union([Type.Enum([...PLANS]), Type.Null()], { description: 'The plan. Null if there is none.' }),
    paidUntil: Type.Union([time('A time'), Type.Null()], { description: 'When the paid period ends' }),
    renews: Type.Boolean({ description: 'Whether the subscription is renewed' }),
    renewsAt: Type.Union([time('A time'), Type.Null()], {
      description: 'When a card is charged next. It may be before `paidUntil`. Null if none is charged.',
    }),
    endsAt: Type.Union([time('A time'), Type.Null()], {
      description: 'When Premium ends, or has ended, unless a renewal succeeds before',
    }),
    lapsesAt: Type.Union([time('A time'), Type.Null()], { description: 'When the free rules apply to the addresses' }),
    portal: Type.Boolean({ description: 'Whether `POST /api/v1/account/portal` is available' }),
    storage: Type.Object(
      {
        usedBytes: Type.Integer({ description: 'The size of all messages, in bytes' }),
        limitBytes: Type.Integer({ description: 'New messages are refused from this size on, in bytes' }),
      },
      { description: 'The storage of all addresses together' },
    ),
    limits: Type.Object(
      {
        addresses: Type.Integer({ description: 'The maximum number of addresses' }),
        domains: Type.Integer({ description: 'The maximum number of own domains' }),
      },
      { description: 'The limits of the subscription' },
    ),
    payments: Type.Array(Type.Unsafe<AccountPaymentJson>({ $ref: 'AccountPayment#' }), { description: 'The payments' }),
    sessions: Type.Array(Type.Unsafe<AccountSessionJson>({ $ref: 'AccountSession#' }), {
      description: 'The signed-in browsers',
    }),
  },
  { $id: 'Account', description: 'An account' },
)
export type AccountJson = Static<typeof account>

export const portalLink = Type.Object(
  { url: Type.String({ description: 'The URL of the page' }) },
  { $id: 'PortalLink', description: 'The page of the payment service' },
)

export const eraseRequest = Type.Object(
  { email: Type.String({ maxLength: 1000, description: 'The email address of the account, as a confirmation' }) },
  { additionalProperties: false, $id: 'EraseRequest', description: 'The confirmation' },
)
