import { type Static, Type } from 'typebox'

export const domainList = Type.Object(
  { domains: Type.Array(Type.Object({ name: Type.String(), tier: Type.Enum(['free', 'premium']) })) },
  { $id: 'DomainList' },
)
export type DomainListJson = Static<typeof domainList>
