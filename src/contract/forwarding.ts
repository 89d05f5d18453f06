import { type Static, Type } from 'typebox'

const time = (description: string) => Type.String({ format: 'date-time', description })
const timeOrNull = (description: string) => Type.Union([time('A time'), Type.Null()], { description })

const FORWARDING_STATES = ['waiting', 'on', 'paused', 'ended'] as const
const FORWARDING_ENDS = ['expired', 'unconfirmed', 'stopped', 'replaced', 'declined', 'bounced', 'complained'] as const
const FORWARDING_OUTCOMES = [
  'sent',
  'refused',
  'given-up',
  'dmarc',
  'loop',
  'too-big',
  'too-many',
  'no-mail',
  'off',
] as const

export const forwarding = Type.Object(
  {
    id: Type.String({ description: 'The id of the forwarding' }),
    destination: Type.String({ description: 'The email address that messages are forwarded to' }),
    state: Type.Enum([...FORWARDING_STATES], {
      description:
        '`waiting`: the destination has not agreed yet. `on`: messages are forwarded. `paused`: you paused it. `ended`: see `end`.',
    }),
    end: Type.Union([Type.Enum([...FORWARDING_ENDS]), Type.Null()], {
      description:
        'Why it ended. `expired`: its time is over. `unconfirmed`: the destination did not agree in time. `stopped`: you ended it. ' +
        '`replaced`: the secret of the address was replaced. `declined`: the destination ended it. `bounced`: forwarded messages bounced. `complained`: the destination reported them as abuse.',
    }),
    createdAt: time('When it was added'),
    endsAt: timeOrNull(
      'When it ends. While it is `waiting`: until when the destination may agree. Null: it lasts as long as the subscription.',
    ),
  },
  { $id: 'Forwarding', description: 'A forwarding to a real email address' },
)
export type ForwardingJson = Static<typeof forwarding>

export const forwardingList = Type.Object(
  {
    available: Type.Enum(['relay', 'outbox', 'none'], {
      description:
        '`relay`: messages are forwarded. `outbox`: they are written to files on the server instead. `none`: this address or this service does not forward.',
    }),
    max: Type.Integer({ description: 'The maximum number of destinations' }),
    days: Type.Integer({ description: 'How many days a free address forwards' }),
    forwardings: Type.Array(Type.Unsafe<ForwardingJson>({ $ref: 'Forwarding#' }), {
      description: 'The forwardings, oldest first',
    }),
  },
  { $id: 'ForwardingList', description: 'The forwardings of an address' },
)
export type ForwardingsJson = Static<typeof forwardingList>

export const forwardingRequest = Type.Object(
  {
    destination: Type.String({ maxLength: 1000, description: 'The email address to forward to' }),
    lang: Type.Optional(
      Type.String({ maxLength: 10, description: 'The language of the email that asks the destination, such as `en`' }),
    ),
  },
  {
    additionalProperties: false,
    $id: 'ForwardingRequest',
    description: 'The forwarding to add',
    examples: [{ destination: 'jane@example.org' }],
  },
)
export type ForwardingRequestJson = Static<typeof forwardingRequest>

export const forwardingChange = Type.Object(
  { paused: Type.Boolean({ description: 'Whether to pause it' }) },
  { additionalProperties: false, $id: 'ForwardingChange', description: 'The change' },
)

export const forwardingId = Type.Object({ id: Type.String({ description: 'The `id` of the forwarding' }) })

export const forwardingLogEntry = Type.Object(
  {
    id: Type.String({ description: 'The id of the entry' }),
    destination: Type.Union([Type.String(), Type.Null()], {
      description: 'The destination. Null if it was removed from the list.',
    }),
    at: time('When the message was received'),
    outcome: Type.Union([Type.Enum([...FORWARDING_OUTCOMES]), Type.Null()], {
      description:
        'Null: it waits. `sent`: the relay accepted it. `refused`: it was rejected permanently. `given-up`: every attempt failed. ' +
        '`dmarc`: it failed DMARC. `loop`: it was already forwarded. `too-big`: it is too large. `too-many`: the destination got too ' +
        'many messages. `no-mail`: the destination accepts no mail. `off`: the forwarding was paused or had ended.',
    }),
    status: Type.Union([Type.String(), Type.Null()], {
      description: 'The enhanced status code (RFC 3463) of a rejection, such as `5.1.1`',
    }),
    nextTryAt: timeOrNull('When the next attempt is, if it waits'),
    message: Type.Union(
      [
        Type.Object({
          id: Type.String({ description: 'The id of the message' }),
          from: Type.Object(
            {
              name: Type.String({ description: 'The display name, or an empty text' }),
              address: Type.String({ description: 'The email address' }),
            },
            { description: 'The sender' },
          ),
          subject: Type.String({ description: 'The subject' }),
        }),
        Type.Null(),
      ],
      { description: 'The message. Null if it is no longer in the inbox.' },
    ),
  },
  { $id: 'ForwardingLogEntry', description: 'What happened to a message that was to be forwarded' },
)
export type ForwardingLogEntryJson = Static<typeof forwardingLogEntry>

export const forwardingLog = Type.Object(
  {
    entries: Type.Array(Type.Unsafe<ForwardingLogEntryJson>({ $ref: 'ForwardingLogEntry#' }), {
      description: 'The entries, newest first',
    }),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'The value of `before` for the next page. Null on the last page.',
    }),
  },
  { $id: 'ForwardingLog', description: 'A page of the forwarding log' },
)
export type ForwardingLogJson = Static<typeof forwardingLog>

export const forwardingEndQuery = Type.Object({
  remove: Type.Optional(
    Type.Boolean({
      description:
        'False leaves one that has already ended in the list, so that the call can be repeated. Default: true',
    }),
  ),
})

export const forwardingLogQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 26, description: 'Only entries older than the one with this id' })),
})
