import { type Static, Type } from 'typebox'
import { CONTACT_REASONS, PROBLEM_REASONS, SUPPORT_KINDS } from '#core/operating/support.ts'

const list = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ')

/** The length of the texts is a setting. The route's body limit enforces it. */
export const supportRequest = Type.Object(
  {
    kind: Type.Enum([...SUPPORT_KINDS], { description: 'The form of the site that this is' }),
    lang: Type.Optional(
      Type.String({ maxLength: 10, description: 'Code of the language of the answer, such as `en`' }),
    ),
    name: Type.Optional(Type.String({ description: 'Needed for `contact`' })),
    reason: Type.Optional(
      Type.String({
        maxLength: 20,
        description: `For \`contact\` ${list(CONTACT_REASONS)}; for \`problem\` ${list(PROBLEM_REASONS)}`,
      }),
    ),
    email: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Where the answer goes; not needed for `problem`' }),
    ),
    message: Type.Optional(Type.String({ description: 'Needed' })),
    website: Type.Optional(Type.String({ maxLength: 1000, description: 'Empty; no person fills it in' })),
  },
  { additionalProperties: false, $id: 'SupportRequest' },
)
export type SupportRequestJson = Static<typeof supportRequest>
