import { type Static, Type } from 'typebox'

export const domainList = Type.Object(
  {
    domains: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The domain name' }),
        tier: Type.Enum(['free', 'premium'], { description: '`premium`: for subscribers and their API keys only' }),
      }),
      { description: 'The domains' },
    ),
  },
  {
    $id: 'DomainList',
    description: 'The mail domains of this service',
    examples: [{ domains: [{ name: 'mayfly.test', tier: 'free' }] }],
  },
)
export type DomainListJson = Static<typeof domainList>
