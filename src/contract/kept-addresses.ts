import { type Static, Type } from 'typebox'

export const keptAddress = Type.Object(
  {
    id: Type.String(),
    address: Type.String(),
    label: Type.Union([Type.String(), Type.Null()], { description: 'A name of its own' }),
    private: Type.Boolean({ description: 'The key is in the browser alone' }),
    unread: Type.Integer(),
    usedBytes: Type.Integer(),
    createdAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null: it lives as long as the subscription, or has ended',
    }),
    alive: Type.Boolean({ description: 'False where it has ended' }),
  },
  { $id: 'KeptAddress' },
)
export type KeptAddressJson = Static<typeof keptAddress>

export const keptAddressList = Type.Object(
  { addresses: Type.Array(Type.Unsafe<KeptAddressJson>({ $ref: 'KeptAddress#' }), { description: 'Oldest first' }) },
  { $id: 'KeptAddressList' },
)
export type KeptAddressListJson = Static<typeof keptAddressList>

const label = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], { description: 'Null or empty: none' })

export const keptAddressRequest = Type.Object(
  {
    adopt: Type.Optional(
      Type.Boolean({ description: 'Keep the address of the cookie; login and domain are its own then' }),
    ),
    login: Type.Optional(Type.String({ maxLength: 100 })),
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'A free, a premium or an own verified one' })),
    label: Type.Optional(label),
  },
  { additionalProperties: false, $id: 'KeptAddressRequest' },
)
export type KeptAddressRequestJson = Static<typeof keptAddressRequest>

export const keptAddressChange = Type.Object({ label }, { additionalProperties: false, $id: 'KeptAddressChange' })

export const keptAddressId = Type.Object({ id: Type.String({ description: 'The `id` of a kept address' }) })
