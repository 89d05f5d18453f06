import { type Static, Type } from 'typebox'
import { REMOTE_URLS_MAX } from '#core/mailbox/message.ts'
import { marks } from './messages.ts'

/** Bytes are sent as base64url. */
export const privateAddressRequest = Type.Object(
  {
    id: Type.String({ pattern: '^[\\w-]{22}$', description: 'Derived from the secret, as for every address' }),
    publicKey: Type.String({ pattern: '^[\\w-]{43}$', description: 'X25519, 32 bytes, raw' }),
    login: Type.Optional(Type.String({ maxLength: 100 })),
    domain: Type.Optional(Type.String({ maxLength: 253 })),
    label: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  },
  { additionalProperties: false, $id: 'PrivateAddressRequest' },
)
export type PrivateAddressRequestJson = Static<typeof privateAddressRequest>

export const sealedMessage = Type.Object(
  {
    id: Type.String(),
    receivedAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.String({ format: 'date-time' }),
    size: Type.Integer(),
    ...marks,
    summary: Type.Union([Type.String(), Type.Null()], { description: 'Sealed; null until the browser has made it' }),
  },
  { $id: 'SealedMessage' },
)
export type SealedMessageJson = Static<typeof sealedMessage>

export const sealedMessageList = Type.Object(
  {
    messages: Type.Array(Type.Unsafe<SealedMessageJson>({ $ref: 'SealedMessage#' }), { description: 'Newest first' }),
    next: Type.Union([Type.String(), Type.Null()]),
  },
  { $id: 'SealedMessageList' },
)
export type SealedMessageListJson = Static<typeof sealedMessageList>

export const sealedMessageId = Type.Object({
  id: Type.String({ description: 'The `id` of a kept address that is private' }),
  message: Type.String({ description: 'The `id` of a message' }),
})
export const privateAddressId = Type.Pick(sealedMessageId, ['id'])
export const sealedMessageQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 26, description: 'Only messages older than this id' })),
})

export const remoteUrls = Type.Object(
  { urls: Type.Array(Type.String({ maxLength: 4096 }), { maxItems: REMOTE_URLS_MAX }) },
  { additionalProperties: false, $id: 'RemoteUrls' },
)

export const proxiedUrls = Type.Object(
  {
    urls: Type.Array(Type.Union([Type.String(), Type.Null()]), {
      description: 'Of the proxy, in the order of those that were sent; null for what it does not fetch',
    }),
  },
  { $id: 'ProxiedUrls' },
)
export type ProxiedUrlsJson = Static<typeof proxiedUrls>
