import { type Static, Type } from 'typebox'

const time = Type.String({ format: 'date-time' })

const fields = {
  id: Type.String(),
  label: Type.String({ description: 'The name that its owner gave it' }),
  createdAt: time,
  usedAt: Type.Union([time, Type.Null()], { description: 'To the minute; null: not used yet' }),
}

export const apiKey = Type.Object(fields, { $id: 'ApiKey' })
export type ApiKeyJson = Static<typeof apiKey>

export const newApiKey = Type.Object(
  {
    ...fields,
    token: Type.String({ description: 'For the header `X-Api-Key`: handed out here and never again' }),
  },
  { $id: 'NewApiKey' },
)
export type NewApiKeyJson = Static<typeof newApiKey>

export const apiKeyList = Type.Object(
  {
    keys: Type.Array(Type.Unsafe<ApiKeyJson>({ $ref: 'ApiKey#' }), { description: 'Oldest first' }),
    limits: Type.Object({
      keys: Type.Integer({ description: 'Keys that a subscription may have' }),
      requestsPerSecond: Type.Integer({ description: 'Requests of each key, also at once' }),
      addresses: Type.Integer({ description: 'Addresses that all keys may have alive at once' }),
      revocationSeconds: Type.Integer({ description: 'After how long a revoked key is refused everywhere' }),
    }),
  },
  { $id: 'ApiKeyList' },
)
export type ApiKeyListJson = Static<typeof apiKeyList>

export const apiKeyRequest = Type.Object(
  { label: Type.String({ maxLength: 1000 }) },
  { additionalProperties: false, $id: 'ApiKeyRequest' },
)

export const apiKeyId = Type.Object({ id: Type.String({ description: 'The `id` of an API key' }) })
