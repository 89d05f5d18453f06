import { type Static, Type } from 'typebox'

const lifetime = Type.Enum(['day', 'ten-minutes', 'subscription', 'operator'], {
  description:
    'When the address expires. `day`: {addressHours, plural, one {# hour} other {# hours}} after the last request with its secret. `ten-minutes`: {shortMinutes, plural, one {# minute} other {# minutes}} after it was created or extended. `subscription`: with the Premium subscription. `operator`: never; this is the mailbox of the operator.',
})

/** `$comment` keeps a field out of openapi.json, because only the pages of this site may send it. */
export const OF_THE_SITE = 'For the pages of this site only'

/** 32 bytes in canonical Base64url. */
const SECRET = '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$'

const emailAddress = Type.String({ description: 'The email address' })
const expiresAt = Type.String({ format: 'date-time', description: 'When the address expires' })

export const addressRequest = Type.Object(
  {
    login: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The part before the `@`: 3 to 64 of `a-z`, `0-9`, `.`, `_` and `-`. Random by default.',
      }),
    ),
    domain: Type.Optional(
      Type.String({
        maxLength: 253,
        description: 'A domain that `GET /api/v1/domains` lists. By default the first free one.',
      }),
    ),
    lifetime: Type.Optional(
      Type.Enum(['day', 'ten-minutes'], {
        description:
          '`day` by default: the address expires {addressHours, plural, one {# hour} other {# hours}} after the last request with its secret. `ten-minutes`: it expires {shortMinutes, plural, one {# minute} other {# minutes}} after it was created or extended.',
      }),
    ),
    replace: Type.Optional(
      Type.Boolean({
        description:
          'Deletes the address of the secret in `Authorization` once the new one exists. If the new one is refused, the old one stays.',
      }),
    ),
    secret: Type.Optional(Type.String({ pattern: SECRET, $comment: OF_THE_SITE })),
    /** Whether the page shows a signed-in subscriber. */
    signedIn: Type.Optional(Type.Boolean({ $comment: OF_THE_SITE })),
  },
  {
    additionalProperties: false,
    $id: 'AddressRequest',
    description: 'The address to create',
    examples: [{ login: 'jane.doe', lifetime: 'ten-minutes' }],
  },
)
export type AddressRequestJson = Static<typeof addressRequest>

export const newAddress = Type.Object(
  {
    address: emailAddress,
    secret: Type.String({
      description:
        'The secret of the address. It is returned only here. Whoever has it can read and delete the messages.',
    }),
    expiresAt,
    lifetime,
  },
  {
    $id: 'NewAddress',
    description: 'A new address and its secret',
    examples: [
      {
        address: 'moon.onion.river471@mayfly.test',
        secret: 'UExfOJx5ZC2lZJd9tEGWcVtxdQZ7EKqKMFHTOFD2w5s',
        expiresAt: '2026-11-25T10:25:00.000Z',
        lifetime: 'day',
      },
    ],
  },
)

export type NewAddressJson = Static<typeof newAddress>

export const address = Type.Object(
  {
    address: emailAddress,
    expiresAt,
    lifetime,
    createdAt: Type.String({ format: 'date-time', description: 'When the address was created' }),
    storage: Type.Object(
      {
        usedBytes: Type.Integer({ minimum: 0, description: 'The `size` of all messages together, in bytes' }),
        limitBytes: Type.Integer({ minimum: 0, description: 'New messages are refused from this size on, in bytes' }),
      },
      { description: 'The storage that the messages use. All addresses of a subscription share theirs.' },
    ),
  },
  {
    $id: 'Address',
    description: 'An address',
    examples: [
      {
        address: 'moon.onion.river471@mayfly.test',
        expiresAt: '2026-11-25T10:25:00.000Z',
        lifetime: 'day',
        createdAt: '2026-11-24T10:25:00.000Z',
        storage: { usedBytes: 20480, limitBytes: 41943040 },
      },
    ],
  },
)
export type AddressJson = Static<typeof address>

export const secretChange = Type.Object(
  {
    secret: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{43}$',
        description:
          'The new secret: 32 random bytes in Base64url. By default the server creates one. If you send your own and the response is lost, you still have access.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The new secret' },
)
export type SecretChangeJson = Static<typeof secretChange>

/** `created`: the page created the address, so that of a subscriber is kept. */
export const sessionRequest = Type.Object(
  {
    secret: Type.String({ maxLength: 100, description: 'The secret of the address' }),
    created: Type.Optional(Type.Boolean({ $comment: OF_THE_SITE })),
  },
  {
    additionalProperties: false,
    $id: 'SessionRequest',
    description: 'The address to open',
    examples: [{ secret: 'UExfOJx5ZC2lZJd9tEGWcVtxdQZ7EKqKMFHTOFD2w5s' }],
  },
)
export type SessionRequestJson = Static<typeof sessionRequest>

export const secretBody = Type.Object(
  { secret: Type.String({ maxLength: 100, description: 'The secret of the address' }) },
  { additionalProperties: false },
)
