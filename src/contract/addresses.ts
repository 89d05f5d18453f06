import { type Static, Type } from 'typebox'

const lifetime = Type.Enum(['day', 'ten-minutes', 'subscription', 'operator'], {
  description:
    '`day`: 24 hours that every visit starts anew; `ten-minutes`: ten fixed minutes; `subscription`: as long as Premium; `operator`: the mailbox of the operator, without end',
})

export const addressRequest = Type.Object(
  {
    login: Type.Optional(
      Type.String({ maxLength: 100, description: '3 to 64 of `a-z 0-9 . _ -`; without it a random one' }),
    ),
    domain: Type.Optional(
      Type.String({ maxLength: 253, description: 'One of GET /api/v1/domains; without it the first free one' }),
    ),
    lifetime: Type.Optional(
      Type.Enum(['day', 'ten-minutes'], {
        description: '`day` (24 hours that every visit starts anew) where nothing is said; `ten-minutes` are fixed',
      }),
    ),
    replace: Type.Optional(
      Type.Boolean({
        description:
          'Ends the address of the given secret once the new one is there; nothing changes where it is refused',
      }),
    ),
  },
  { additionalProperties: false, $id: 'AddressRequest' },
)
export type AddressRequestJson = Static<typeof addressRequest>

export const newAddress = Type.Object(
  {
    address: Type.String(),
    secret: Type.String({ description: 'The credential of the address: handed out here and never again' }),
    expiresAt: Type.String({ format: 'date-time' }),
    lifetime,
  },
  { $id: 'NewAddress' },
)

export type NewAddressJson = Static<typeof newAddress>

export const address = Type.Object(
  {
    address: Type.String(),
    expiresAt: Type.String({ format: 'date-time' }),
    lifetime,
    createdAt: Type.String({ format: 'date-time' }),
    storage: Type.Object({
      usedBytes: Type.Integer({ minimum: 0, description: 'Bytes of all messages, as received' }),
      limitBytes: Type.Integer({ minimum: 0, description: 'Bytes from which on mail is refused' }),
    }),
  },
  { $id: 'Address' },
)
export type AddressJson = Static<typeof address>

export const secretChange = Type.Object(
  {
    secret: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{43}$',
        description: 'Base64url of 32 random bytes of your own, so that a lost answer does not cost you the address',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SecretChangeJson = Static<typeof secretChange>

export const secretBody = Type.Object({ secret: Type.String({ maxLength: 100 }) }, { additionalProperties: false })
