import { type Static, Type } from 'typebox'
import { FAULT_DELAY_MAX, FAULT_RULES_MAX } from '#core/mailbox/fault.ts'

const common = {
  at: Type.Enum(['rcpt', 'data'], {
    description:
      '`rcpt`: the reply to RCPT TO. After other recipients of the same message, `close` and 421 become 451, and `delay` does not wait, so that those are not affected. They also become 451 an hour after they first closed a connection, until the rules are set again, so that recipients named after this one get their messages at last. `data`: the reply to the message, if this address is its only recipient.',
  }),
  first: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description:
        'Only for this many attempts since the rules were set. By default for all of them. They are counted in memory, by each node of the service.',
    }),
  ),
}

const rule = Type.Union(
  [
    Type.Object(
      {
        ...common,
        action: Type.Literal('reject', { description: 'Send this reply' }),
        code: Type.Integer({ minimum: 400, maximum: 559, description: 'The reply code' }),
        enhancedCode: Type.Optional(
          Type.String({
            pattern: '^[45]\\.\\d{1,3}\\.\\d{1,3}$',
            description: 'The enhanced status code (RFC 3463). `4.0.0` or `5.0.0` by default.',
          }),
        ),
        text: Type.Optional(
          Type.String({ pattern: '^[ -~]{1,200}$', description: 'The text: 1 to 200 printable ASCII characters' }),
        ),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        ...common,
        action: Type.Literal('delay', { description: 'Wait. At `data`, before the reply to the DATA command.' }),
        seconds: Type.Integer({ minimum: 1, maximum: FAULT_DELAY_MAX, description: 'How long to wait' }),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      { ...common, action: Type.Literal('close', { description: 'Close the connection without a reply' }) },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        ...common,
        action: Type.Literal('limit', { description: 'Reply with 421 above this rate' }),
        perMinute: Type.Integer({ minimum: 1, maximum: 1000, description: 'Attempts in 60 seconds that are accepted' }),
      },
      { additionalProperties: false },
    ),
  ],
  { description: 'A rule' },
)

export const faults = Type.Object(
  {
    rules: Type.Array(rule, {
      maxItems: FAULT_RULES_MAX,
      description: 'The rules, in their order. All delays apply, and the first other rule that matches.',
    }),
  },
  {
    additionalProperties: false,
    $id: 'Faults',
    description: 'SMTP faults for a test',
    examples: [
      {
        rules: [
          { at: 'rcpt', action: 'reject', first: 2, code: 451, enhancedCode: '4.7.1', text: 'Try again later' },
          { at: 'data', action: 'delay', seconds: 10 },
        ],
      },
    ],
  },
)
export type FaultsJson = Static<typeof faults>
