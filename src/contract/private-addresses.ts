import { type Static, Type } from 'typebox'

/** Bytes travel as base64url. */
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
    size: Type.Integer(),
    seen: Type.Boolean(),
    summary: Type.Union([Type.String(), Type.Null()], { description: 'Sealed; null until the browser has made it' }),
  },
  { $id: 'SealedMessage' },
)
export type SealedMessageJson = Static<typeof sealedMessage>

export const sealedMessageList = Type.Object(
  { messages: Type.Array(sealedMessage), next: Type.Union([Type.String(), Type.Null()]) },
  { $id: 'SealedMessageList' },
)
export type SealedMessageListJson = Static<typeof sealedMessageList>
