import { type Static, Type } from 'typebox'

const fields = {
  id: Type.String({ description: 'The id of the subscription' }),
  createdAt: Type.String({ format: 'date-time', description: 'When the browser subscribed' }),
}

export const pushSubscription = Type.Object(fields, {
  $id: 'PushSubscription',
  description: 'A browser that is told of new messages',
})
export type PushSubscriptionJson = Static<typeof pushSubscription>

export const pushState = Type.Object(
  {
    publicKey: Type.String({ description: 'The `applicationServerKey` for `PushManager.subscribe()`, in Base64url' }),
    subscriptions: Type.Array(Type.Unsafe<PushSubscriptionJson>({ $ref: 'PushSubscription#' }), {
      description: 'The browsers, oldest first',
    }),
  },
  { $id: 'PushState', description: 'The key of the service, and the browsers that are told of new messages' },
)
export type PushStateJson = Static<typeof pushState>

/** What `PushSubscription.toJSON()` returns in a browser. */
export const pushRequest = Type.Object(
  {
    endpoint: Type.String({ maxLength: 2000, description: 'The https URL at the push service' }),
    expirationTime: Type.Optional(Type.Union([Type.Number(), Type.Null()], { description: 'Accepted and ignored' })),
    keys: Type.Object(
      {
        p256dh: Type.String({ maxLength: 200, description: 'The public key of the browser (P-256), in Base64url' }),
        auth: Type.String({ maxLength: 100, description: 'The authentication secret, in Base64url' }),
      },
      { additionalProperties: false, description: 'The keys of the browser' },
    ),
  },
  {
    additionalProperties: false,
    $id: 'PushRequest',
    description: 'A push subscription of a browser, as `PushSubscription.toJSON()` returns it',
  },
)
export type PushRequestJson = Static<typeof pushRequest>

export const pushId = Type.Object({ id: Type.String({ maxLength: 100, description: 'The id of the subscription' }) })
