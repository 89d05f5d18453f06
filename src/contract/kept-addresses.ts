import { type Static, Type } from 'typebox'

export const keptAddress = Type.Object(
  {
    id: Type.String({ description: 'The id of the address' }),
    address: Type.String({ description: 'The email address' }),
    label: Type.Union([Type.String(), Type.Null()], { description: 'The name that you gave it. Null if it has none.' }),
    private: Type.Boolean({ description: 'Whether only your browser can read its messages' }),
    unread: Type.Integer({ description: 'The number of unread messages' }),
    usedBytes: Type.Integer({ description: 'The size of its messages, in bytes' }),
    createdAt: Type.String({ format: 'date-time', description: 'When it was created' }),
    expiresAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it expires. Null: it lasts as long as the subscription, or was deleted.',
    }),
    alive: Type.Boolean({ description: 'Whether it still receives messages' }),
  },
  { $id: 'KeptAddress', description: 'An address of the subscription' },
)
export type KeptAddressJson = Static<typeof keptAddress>

export const keptAddressList = Type.Object(
  {
    addresses: Type.Array(Type.Unsafe<KeptAddressJson>({ $ref: 'KeptAddress#' }), {
      description: 'The addresses, oldest first',
    }),
  },
  { $id: 'KeptAddressList', description: 'The addresses of the subscription' },
)
export type KeptAddressListJson = Static<typeof keptAddressList>

const label = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], {
  description: 'A name for the address. Null or empty for none.',
})

export const keptAddressRequest = Type.Object(
  {
    adopt: Type.Optional(
      Type.Boolean({ description: 'Keep the address that is open in this browser, instead of creating one' }),
    ),
    login: Type.Optional(Type.String({ maxLength: 100, description: 'The part before the `@`. Random by default.' })),
    domain: Type.Optional(
      Type.String({ maxLength: 253, description: 'A free or premium domain, or an own domain that is verified' }),
    ),
    label: Type.Optional(label),
  },
  { additionalProperties: false, $id: 'KeptAddressRequest', description: 'The address to create or to keep' },
)
export type KeptAddressRequestJson = Static<typeof keptAddressRequest>

export const keptAddressChange = Type.Object(
  { label },
  { additionalProperties: false, $id: 'KeptAddressChange', description: 'The change' },
)

export const keptAddressId = Type.Object({ id: Type.String({ description: 'The `id` of the address' }) })
