import { type Static, Type } from 'typebox'

/** A DNS record to create, and whether the last check found it. */
export const dnsRecord = Type.Object(
  {
    type: Type.Enum(['TXT', 'MX']),
    name: Type.String(),
    value: Type.String(),
    priority: Type.Union([Type.Integer(), Type.Null()]),
    found: Type.Boolean(),
  },
  { $id: 'DnsRecord' },
)
export type DnsRecordJson = Static<typeof dnsRecord>

export const ownDomain = Type.Object(
  {
    name: Type.String(),
    state: Type.Enum(['pending', 'verified', 'failing']),
    checkedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    records: Type.Array(Type.Unsafe<DnsRecordJson>({ $ref: 'DnsRecord#' })),
    catchAll: Type.Union([Type.String(), Type.Null()], { description: 'Id of the address that gets all other mail' }),
  },
  { $id: 'OwnDomain' },
)
export type OwnDomainJson = Static<typeof ownDomain>

export const ownDomainList = Type.Object(
  { domains: Type.Array(Type.Unsafe<OwnDomainJson>({ $ref: 'OwnDomain#' })) },
  { $id: 'OwnDomainList' },
)
export type OwnDomainListJson = Static<typeof ownDomainList>

export const ownDomainName = Type.Object({ name: Type.String() })

export const ownDomainRequest = Type.Object(
  { name: Type.String({ maxLength: 1000 }) },
  { additionalProperties: false, $id: 'OwnDomainRequest' },
)

export const ownDomainChange = Type.Object(
  { catchAll: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]) },
  { additionalProperties: false, $id: 'OwnDomainChange' },
)
