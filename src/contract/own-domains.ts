import { type Static, Type } from 'typebox'

/** A DNS record to create, and whether the last check found it. */
export const dnsRecord = Type.Object(
  {
    type: Type.Enum(['TXT', 'MX'], { description: 'The type of the record' }),
    name: Type.String({ description: 'The name of the record' }),
    value: Type.String({ description: 'The value of the record' }),
    priority: Type.Union([Type.Integer(), Type.Null()], { description: 'The priority of an MX record' }),
    found: Type.Boolean({ description: 'Whether the last check found it' }),
  },
  { $id: 'DnsRecord', description: 'A DNS record to create' },
)
type DnsRecordJson = Static<typeof dnsRecord>

export const ownDomain = Type.Object(
  {
    name: Type.String({ description: 'The domain name' }),
    state: Type.Enum(['pending', 'verified', 'failing', 'stopped'], {
      description:
        '`pending`: not verified yet. `verified`: addresses can be created. `failing`: it was verified, but records are missing now. `stopped`: email is refused because Premium has ended.',
    }),
    checkedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the records were last checked. Null if they never were.',
    }),
    records: Type.Array(Type.Unsafe<DnsRecordJson>({ $ref: 'DnsRecord#' }), { description: 'The records to create' }),
    catchAll: Type.Union([Type.String(), Type.Null()], {
      description: 'The id of the address that receives all other messages. Null if there is none.',
    }),
  },
  { $id: 'OwnDomain', description: 'A domain of the subscriber' },
)
export type OwnDomainJson = Static<typeof ownDomain>

export const ownDomainList = Type.Object(
  { domains: Type.Array(Type.Unsafe<OwnDomainJson>({ $ref: 'OwnDomain#' }), { description: 'The domains' }) },
  { $id: 'OwnDomainList', description: 'The domains of the subscriber' },
)

export const ownDomainName = Type.Object({ name: Type.String({ description: 'The domain name' }) })

export const ownDomainRequest = Type.Object(
  { name: Type.String({ maxLength: 1000, description: 'The domain name' }) },
  { additionalProperties: false, $id: 'OwnDomainRequest', description: 'The domain to add' },
)

export const ownDomainChange = Type.Object(
  {
    catchAll: Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
      description: 'The id of the address that receives all other messages. Null for none.',
    }),
  },
  { additionalProperties: false, $id: 'OwnDomainChange', description: 'The change' },
)
