import { type Static, Type } from 'typebox'

const time = Type.String({ format: 'date-time', description: 'A time' })

const fields = {
  id: Type.String({ description: 'The id of the key' }),
  label: Type.String({ description: 'The name of the key' }),
  createdAt: Type.String({ format: 'date-time', description: 'When the key was created' }),
  usedAt: Type.Union([time, Type.Null()], {
    description: 'When the key was last used, to the minute. Null if it never was.',
  }),
}

export const apiKey = Type.Object(fields, { $id: 'ApiKey', description: 'An API key' })
export type ApiKeyJson = Static<typeof apiKey>

export const newApiKey = Type.Object(
  {
    ...fields,
    token: Type.String({ description: 'The value of the header `X-Api-Key`. It is returned only here.' }),
  },
  { $id: 'NewApiKey', description: 'A new API key and its token' },
)
export type NewApiKeyJson = Static<typeof newApiKey>

export const apiKeyList = Type.Object(
  {
    keys: Type.Array(Type.Unsafe<ApiKeyJson>({ $ref: 'ApiKey#' }), { description: 'The keys, oldest first' }),
    limits: Type.Object(
      {
        keys: Type.Integer({ description: 'The maximum number of keys' }),
        requestsPerSecond: Type.Integer({ description: 'Requests per second with each key, also in a burst' }),
        addresses: Type.Integer({ description: 'Addresses of all keys that may exist at the same time' }),
        revocationSeconds: Type.Integer({ description: 'A revoked key stops working within this time, in seconds' }),
      },
      { description: 'The limits of the subscription' },
    ),
  },
  { $id: 'ApiKeyList', description: 'The API keys and their limits' },
)
export type ApiKeyListJson = Static<typeof apiKeyList>

export const apiKeyRequest = Type.Object(
  { label: Type.String({ maxLength: 1000, description: 'A name for the key' }) },
  {
    additionalProperties: false,
    $id: 'ApiKeyRequest',
    description: 'The API key to create',
    examples: [{ label: 'CI' }],
  },
)

export const apiKeyId = Type.Object({ id: Type.String({ description: 'The `id` of the API key' }) })
