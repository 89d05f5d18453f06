import { type Static, Type } from 'typebox'
import { CONTACT_REASONS, PROBLEM_REASONS, SUPPORT_KINDS } from '#core/operating/support.ts'

const list = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ')

/** The length of the texts is a setting. The route's body limit enforces it. */
export const supportRequest = Type.Object(
  {
    kind: Type.Enum([...SUPPORT_KINDS], { description: 'The form' }),
    lang: Type.Optional(Type.String({ maxLength: 10, description: 'The language of the reply, such as `en`' })),
    name: Type.Optional(Type.String({ description: 'Your name. Required for `contact`.' })),
    reason: Type.Optional(
      Type.String({
        maxLength: 20,
        description: `For \`contact\`: ${list(CONTACT_REASONS)}. For \`problem\`: ${list(PROBLEM_REASONS)}.`,
      }),
    ),
    email: Type.Optional(
      Type.String({ maxLength: 1000, description: 'The email address for the reply. Optional for `problem`.' }),
    ),
    message: Type.Optional(Type.String({ description: 'The message. Required.' })),
    website: Type.Optional(Type.String({ maxLength: 1000, description: 'Leave it empty. It is a trap for bots.' })),
  },
  { additionalProperties: false, $id: 'SupportRequest', description: 'A message to the operator' },
)
export type SupportRequestJson = Static<typeof supportRequest>
