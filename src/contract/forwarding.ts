import { type Static, Type } from 'typebox'

const time = Type.String({ format: 'date-time' })
const timeOrNull = (description: string) => Type.Union([time, Type.Null()], { description })

const FORWARDING_STATES = ['waiting', 'on', 'paused', 'ended'] as const
const FORWARDING_ENDS = ['expired', 'unconfirmed', 'stopped', 'declined', 'bounced', 'complained'] as const
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
    id: Type.String(),
    destination: Type.String(),
    state: Type.Enum([...FORWARDING_STATES], {
      description: '`waiting` for a click of the destination; `on`; `paused` by you; `ended`',
    }),
    end: Type.Union([Type.Enum([...FORWARDING_ENDS]), Type.Null()], {
      description:
        'Why it ended. `expired`: its time is over; `unconfirmed`: the destination did not agree in time; `stopped` by you; ' +
        '`declined` by the destination; `bounced`: its mail came back; `complained`: its mail was called abuse',
    }),
    createdAt: time,
    endsAt: timeOrNull('Of one that waits: until when the destination may agree. Null: as long as the subscription'),
  },
  { $id: 'Forwarding' },
)
export type ForwardingJson = Static<typeof forwarding>

export const forwardingList = Type.Object(
  {
    available: Type.Enum(['relay', 'outbox', 'none'], {
      description:
        '`outbox`: mail is written to files of the service and goes nowhere; `none`: this address, or this service, does not forward',
    }),
    max: Type.Integer({ description: 'Destinations that the address may have' }),
    days: Type.Integer({ description: 'How long a free address forwards' }),
    forwardings: Type.Array(Type.Unsafe<ForwardingJson>({ $ref: 'Forwarding#' }), { description: 'Oldest first' }),
  },
  { $id: 'ForwardingList' },
)
export type ForwardingsJson = Static<typeof forwardingList>

export const forwardingRequest = Type.Object(
  {
    destination: Type.String({ maxLength: 1000, description: 'A real email address' }),
    lang: Type.Optional(Type.String({ maxLength: 10, description: 'Language of the mail that asks it' })),
  },
  { additionalProperties: false, $id: 'ForwardingRequest' },
)
export type ForwardingRequestJson = Static<typeof forwardingRequest>

export const forwardingChange = Type.Object(
  { paused: Type.Boolean() },
  { additionalProperties: false, $id: 'ForwardingChange' },
)

export const forwardingId = Type.Object({ id: Type.String() })

export const forwardingLogEntry = Type.Object(
  {
    id: Type.String(),
    destination: Type.Union([Type.String(), Type.Null()], {
      description: 'Null where it is not in the list any more',
    }),
    at: time,
    outcome: Type.Union([Type.Enum([...FORWARDING_OUTCOMES]), Type.Null()], {
      description:
        'Null: it waits. `sent`: the relay took it; `refused` for good; `given-up`: the relay took none of the tries; `dmarc`: the ' +
        'sender is not who he says; `loop`: it was forwarded already; `too-big`; `too-many` for the destination; `no-mail`: the ' +
        'destination takes none; `off`: ended or paused before',
    }),
    status: Type.Union([Type.String(), Type.Null()], {
      description: 'The enhanced status code (RFC 3463) of a refusal, such as `5.1.1`',
    }),
    nextTryAt: timeOrNull('Where it waits'),
    message: Type.Union(
      [
        Type.Object({
          id: Type.String(),
          from: Type.Object({ name: Type.String(), address: Type.String() }),
          subject: Type.String(),
        }),
        Type.Null(),
      ],
      { description: 'Null where it is no longer in the inbox' },
    ),
  },
  { $id: 'ForwardingLogEntry' },
)
export type ForwardingLogEntryJson = Static<typeof forwardingLogEntry>

export const forwardingLog = Type.Object(
  {
    entries: Type.Array(Type.Unsafe<ForwardingLogEntryJson>({ $ref: 'ForwardingLogEntry#' }), {
      description: 'Newest first',
    }),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'Pass as `before` for the next page; null on the last',
    }),
  },
  { $id: 'ForwardingLog' },
)
export type ForwardingLogJson = Static<typeof forwardingLog>

export const forwardingLogQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 26, description: 'Only what is older than this id' })),
})
