import { type Static, Type } from 'typebox'
import { REMOTE_URLS_MAX } from '#core/mailbox/message.ts'
import { marks } from './messages.ts'

/** Bytes are sent as base64url. */
export const privateAddressRequest = Type.Object(
  {
    id: Type.String({ pattern: '^[\\w-]{22}$', description: 'The id that the browser derived from the secret' }),
    publicKey: Type.String({ pattern: '^[\\w-]{43}$', description: 'The public key: X25519, 32 bytes' }),
    login: Type.Optional(Type.String({ maxLength: 100, description: 'The part before the `@`. Random by default.' })),
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'The domain' })),
    label: Type.Optional(
      Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], { description: 'A name for the address' }),
    ),
  },
  { additionalProperties: false, $id: 'PrivateAddressRequest', description: 'The address to create' },
)
export type PrivateAddressRequestJson = Static<typeof privateAddressRequest>

export const sealedMessage = Type.Object(
  {
    id: Type.String({ description: 'The id of the message' }),
    receivedAt: Type.String({ format: 'date-time', description: 'When the message was received' }),
    expiresAt: Type.String({ format: 'date-time', description: 'When the message is deleted' }),
    size: Type.Integer({
      description: 'The size of the message in bytes, with the Received field that we add and without Return-Path',
    }),
    ...marks,
    summary: Type.Union([Type.String(), Type.Null()], {
      description: 'The sealed summary. Null until the browser has made it.',
    }),
  },
  { $id: 'SealedMessage', description: 'A message that only the browser can open' },
)
export type SealedMessageJson = Static<typeof sealedMessage>

export const sealedMessageList = Type.Object(
  {
    messages: Type.Array(Type.Unsafe<SealedMessageJson>({ $ref: 'SealedMessage#' }), {
      description: 'The messages, newest first',
    }),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'The value of `before` for the next page. Null on the last page.',
    }),
  },
  { $id: 'SealedMessageList', description: 'A page of sealed messages' },
)
export type SealedMessageListJson = Static<typeof sealedMessageList>

export const sealedMessageId = Type.Object({
  id: Type.String({ description: 'The `id` of the private address' }),
  message: Type.String({ description: 'The `id` of the message' }),
})
export const privateAddressId = Type.Pick(sealedMessageId, ['id'])
export const sealedMessageQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 26, description: 'Only messages older than the one with this id' })),
})

export const remoteUrls = Type.Object(
  {
    urls: Type.Array(Type.String({ maxLength: 4096 }), {
      maxItems: REMOTE_URLS_MAX,
      description: 'The URLs of the images',
    }),
  },
  { additionalProperties: false, $id: 'RemoteUrls', description: 'Remote images of a message' },
)

export const proxiedUrls = Type.Object(
  {
    urls: Type.Array(Type.Union([Type.String(), Type.Null()]), {
      description: 'The URLs at the proxy, in the same order. Null for images that it does not fetch.',
    }),
  },
  { $id: 'ProxiedUrls', description: 'The images at the proxy' },
)
export type ProxiedUrlsJson = Static<typeof proxiedUrls>
