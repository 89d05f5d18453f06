import { type Static, Type } from 'typebox'
import { HTML_MAX_CHARACTERS, LINKS_MAX, TEXT_MAX_CHARACTERS } from '#core/mailbox/message.ts'

const authenticationResult = Type.Enum(
  ['pass', 'fail', 'softfail', 'neutral', 'none', 'policy', 'temperror', 'permerror', 'pending'],
  {
    description:
      'RFC 8601 result; `pending` until the look-ups are through. `temperror` in all three: not checked, since the name servers did not answer in time; the check is made again when the message is opened',
  },
)

const candidate = Type.Object({
  kind: Type.Enum(['code', 'link']),
  value: Type.String(),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Probability that it is the one' }),
  context: Type.String({ description: 'The line or label where it stands' }),
})
export type CandidateJson = Static<typeof candidate>

export const attachmentInfo = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  filename: Type.String(),
  contentType: Type.String(),
  size: Type.Integer({ minimum: 0, description: 'Bytes' }),
})
export type AttachmentJson = Static<typeof attachmentInfo>

const link = Type.Object({
  url: Type.String(),
  text: Type.String({ description: 'At most 200 characters' }),
  host: Type.String({ description: 'The host that the link leads to' }),
  named: Type.Union([Type.String(), Type.Null()], {
    description: 'The host that the text names, if the link leads to another domain',
  }),
})

const counts = {
  images: Type.Integer({ minimum: 0, description: 'Remote images' }),
  pixels: Type.Integer({ minimum: 0, description: 'Those of the images that are too small to be seen' }),
  links: Type.Integer({ minimum: 0, description: 'Links that count who clicked them' }),
}
const trackers = Type.Object(
  {
    ...counts,
    hosts: Type.Array(
      Type.Object({ host: Type.String(), company: Type.Union([Type.String(), Type.Null()]), ...counts }),
      { description: 'The 50 hosts that would learn most' },
    ),
  },
  { description: 'What the message would report about its reader' },
)

const calendarEvent = Type.Object({
  kind: Type.Enum(['event', 'invitation', 'answer', 'cancelled']),
  summary: Type.String(),
  start: Type.String({
    description: 'RFC 3339 in UTC; without `Z` for a time without zone; a date alone for whole days',
  }),
  end: Type.Union([Type.String(), Type.Null()], { description: 'Like `start`, exclusive' }),
  recurring: Type.Boolean(),
  location: Type.String(),
  organizer: Type.Union([Type.Object({ name: Type.String(), address: Type.String() }), Type.Null()]),
  attachment: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'The `index` of the attachment with the calendar file',
  }),
})
export type CalendarEventJson = Static<typeof calendarEvent>

const unsubscribe = Type.Object({
  url: Type.String(),
  host: Type.String(),
  oneClick: Type.Boolean({ description: 'Whether a single POST is enough (RFC 8058): `POST …/unsubscribe`' }),
})

/** The fields that the owner can change. */
export const marks = {
  seen: Type.Boolean(),
}

const summaryFields = {
  id: Type.String({ description: '26 characters that sort by time of arrival' }),
  from: Type.Object({ name: Type.String(), address: Type.String() }),
  to: Type.String({ description: 'The recipient as the sender wrote it, `+anything` included' }),
  subject: Type.String(),
  receivedAt: Type.String({ format: 'date-time' }),
  expiresAt: Type.String({
    format: 'date-time',
    description: 'When the message is deleted, unless its address ends before',
  }),
  size: Type.Integer({ description: 'Bytes of the raw mail' }),
  ...marks,
  preview: Type.String({ description: 'The first visible text, at most 140 characters' }),
  code: Type.Union([Type.String(), Type.Null()], { description: 'The one-time code, found by itself' }),
  link: Type.Union([Type.String(), Type.Null()], { description: 'The confirmation link, found by itself' }),
  candidates: Type.Array(candidate, {
    description:
      'At most 5 values that may be the code or the link, the most probable first. `code` and `link` are null unless one of them is certain',
  }),
  authentication: Type.Object({ spf: authenticationResult, dkim: authenticationResult, dmarc: authenticationResult }),
  attachments: Type.Array(attachmentInfo),
  unreadable: Type.Boolean({
    description: 'True where the mail defeats the parser and can be read as source only, or is damaged',
  }),
}

export const messageSummary = Type.Object(summaryFields, { $id: 'MessageSummary' })
export type MessageSummaryJson = Static<typeof messageSummary>

export const message = Type.Object(
  {
    ...summaryFields,
    date: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'The Date header of the email; null where it is missing or no date',
    }),
    text: Type.Union([Type.String(), Type.Null()], { description: `At most ${TEXT_MAX_CHARACTERS} characters` }),
    html: Type.Union([Type.String(), Type.Null()], {
      description: `Sanitised; remote content left out; made from at most ${HTML_MAX_CHARACTERS} characters`,
    }),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    hasRemoteContent: Type.Boolean(),
    links: Type.Array(link, { description: `At most ${LINKS_MAX} web links, those of the HTML or else of the text` }),
    trackers,
    lookalike: Type.Union([Type.String(), Type.Null()], {
      description: 'The well-known domain that the domain of the sender imitates, as a guess',
    }),
    calendar: Type.Union([calendarEvent, Type.Null()], { description: 'The event of an attached invitation' }),
    unsubscribe: Type.Union([unsubscribe, Type.Null()], {
      description: 'The web address where the reader leaves the mailing list (RFC 2369)',
    }),
    truncated: Type.Boolean({
      description: 'True where `text` or `html` is only the beginning of a longer one: `/raw` has all of it',
    }),
  },
  { $id: 'Message' },
)
export type MessageJson = Static<typeof message>

const unmatched = Type.Object({
  id: Type.String(),
  from: summaryFields.from,
  to: Type.String(),
  subject: Type.String(),
  receivedAt: Type.String({ format: 'date-time' }),
  unmet: Type.Array(Type.Enum(['from', 'to', 'subject', 'body', 'has']), {
    description: 'The query parameters that it does not match',
  }),
})

export const waitExplanation = Type.Object(
  {
    text: Type.String({ description: 'The explanation in English' }),
    unmatched: Type.Array(unmatched, {
      description: 'Messages that are there but do not match, newest first; at most 20',
    }),
    expiresAt: Type.String({ format: 'date-time', description: 'When the address expires' }),
  },
  { $id: 'WaitExplanation', description: 'Why a wait ended without enough messages' },
)
export type WaitExplanationJson = Static<typeof waitExplanation>

export const messageList = Type.Object(
  {
    messages: Type.Array(Type.Unsafe<MessageSummaryJson>({ $ref: 'MessageSummary#' }), { description: 'Newest first' }),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'Pass as `before` for the next page; null on the last',
    }),
    explanation: Type.Optional(Type.Unsafe<WaitExplanationJson>({ $ref: 'WaitExplanation#' })),
  },
  { $id: 'MessageList' },
)
export type MessageListJson = Static<typeof messageList>

const MESSAGE_ID = '^[0-9a-hjkmnp-tv-z]{26}$'

const searched = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Part of the ${what}, case ignored; or a regular expression with RE2 syntax between slashes, such as \`/^Your code/i\` (flags i, m, s)`,
    }),
  )

export const messageQuery = Type.Object(
  {
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description:
          'Seconds, 0 to 60, to hold the response until enough messages match. If they do not, the response has an `explanation`',
      }),
    ),
    after: Type.Optional(
      Type.String({
        pattern: MESSAGE_ID,
        description:
          'Only messages newer than this id of a message of this address, which may be deleted or expired; an id that the address never had is `invalid_request`',
      }),
    ),
    before: Type.Optional(Type.String({ pattern: MESSAGE_ID, description: 'Only messages older than this id' })),
    since: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only messages that arrived at this time or later' }),
    ),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: 'How many matching messages `wait` waits for; 1 by default',
      }),
    ),
    from: searched('sender, as in `Shop <shop@example.org>`'),
    to: searched('recipient as the sender wrote it, `+anything` included'),
    subject: searched('subject'),
    body: searched('text, or of the source of the sanitized HTML'),
    has: Type.Optional(
      Type.Array(Type.Enum(['code', 'link', 'attachment']), {
        maxItems: 3,
        description: 'Only messages that have this, such as `has=code`; repeat it for several',
      }),
    ),
  },
  { additionalProperties: false },
)

export const streamQuery = Type.Object({
  lastEventId: Type.Optional(
    Type.String({ maxLength: 20, description: 'As the header `Last-Event-ID`, for a first connection' }),
  ),
})

/** How many messages one call deletes at most. */
export const DELETED_AT_ONCE_MAX = 100

export const messageIds = Type.Object(
  {
    ids: Type.Array(Type.String({ pattern: MESSAGE_ID }), {
      minItems: 1,
      maxItems: DELETED_AT_ONCE_MAX,
      description: 'Ids of messages; those of messages that are gone are ignored',
    }),
  },
  { additionalProperties: false, $id: 'MessageIds' },
)

const id = Type.String({ description: 'The `id` of a summary' })
export const messageId = Type.Object({ id })
export const attachmentId = Type.Object({
  id,
  index: Type.Integer({ minimum: 0, maximum: 100_000, description: 'The `index` of an attachment in the summary' }),
})
export const messageChange = Type.Partial(Type.Object(marks), { additionalProperties: false, minProperties: 1 })
