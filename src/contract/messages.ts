import { type Static, Type } from 'typebox'
import { HELD_MAX, HTML_MAX_CHARACTERS, LINKS_MAX, TEXT_MAX_CHARACTERS } from '#core/mailbox/message.ts'
import { refusedDelivery } from './deliveries.ts'
import { calendarEvent, link, trackers, unsubscribe } from './message-content.ts'
import { SUMMARY_EXAMPLE } from './summary-example.ts'

export const authenticationResult = Type.Enum(
  ['pass', 'fail', 'softfail', 'neutral', 'none', 'policy', 'temperror', 'permerror', 'pending'],
  {
    description:
      'The result (RFC 8601). `pending`: the check is not complete. `temperror` in all three: the DNS servers did not respond in time, and the check is repeated when the message is opened.',
  },
)

const candidate = Type.Object({
  kind: Type.Enum(['code', 'link'], { description: 'What the value may be' }),
  value: Type.String({ description: 'The code or the URL' }),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: 'The probability that it is the right one' }),
  context: Type.String({ description: 'The line or the label that it was found in' }),
})

const attachmentInfo = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'The number of the attachment, for its URL' }),
  filename: Type.String({ description: 'The file name that the sender gave' }),
  contentType: Type.String({ description: 'The media type that the sender gave' }),
  size: Type.Integer({ minimum: 0, description: 'The size in bytes' }),
})
export type AttachmentJson = Static<typeof attachmentInfo>

/** The fields that the owner can change. */
export const marks = {
  seen: Type.Boolean({ description: 'Whether the message is marked as read' }),
}

const summaryFields = {
  id: Type.String({ description: 'The id of the message: 26 characters that sort by time of arrival' }),
  from: Type.Object(
    {
      name: Type.String({ description: 'The display name, or an empty text' }),
      address: Type.String({ description: 'The email address' }),
    },
    { description: 'The sender in the From header, which can be forged: see `authentication`' },
  ),
  to: Type.String({ description: 'The recipient as the sender wrote it, including any `+tag`' }),
  recipients: Type.Array(Type.String(), {
    description:
      'All recipients at this address that the sender named for this message, `to` first: several if they differ in their `+tag`, or if the address is a catch-all. Empty if the message is damaged.',
  }),
  subject: Type.String({ description: 'The subject' }),
  receivedAt: Type.String({ format: 'date-time', description: 'When the message was received' }),
  expiresAt: Type.String({
    format: 'date-time',
    description: 'When the message is deleted, unless its address ends before',
  }),
  size: Type.Integer({
    minimum: 0,
    description: 'The size of the message in bytes, with the Received field that we add and without Return-Path',
  }),
  ...marks,
  preview: Type.String({ description: 'The beginning of the visible text, at most 140 characters' }),
  code: Type.Union([Type.String(), Type.Null()], {
    description: 'The one-time code in the message. Null if there is none, or none is certain.',
  }),
  link: Type.Union([Type.String(), Type.Null()], {
    description: 'The confirmation link in the message. Null if there is none, or none is certain.',
  }),
  candidates: Type.Array(candidate, {
    description: 'At most 5 values that may be the code or the link, the most probable first',
  }),
  authentication: Type.Object(
    { spf: authenticationResult, dkim: authenticationResult, dmarc: authenticationResult },
    { description: 'Whether the sender is who the message claims' },
  ),
  attachments: Type.Array(attachmentInfo, { description: 'The attachments, without their content' }),
  unreadable: Type.Boolean({
    description: 'True if the message could not be parsed, so only its source can be read, or if it is damaged',
  }),
}

export const messageSummary = Type.Object(summaryFields, {
  $id: 'MessageSummary',
  description: 'A message in the list',
  examples: [SUMMARY_EXAMPLE],
})
export type MessageSummaryJson = Static<typeof messageSummary>

export const message = Type.Object(
  {
    ...summaryFields,
    date: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'The time in the Date header. Null if it is missing or invalid.',
    }),
    text: Type.Union([Type.String(), Type.Null()], {
      description: `The plain text, at most ${TEXT_MAX_CHARACTERS} characters. Null if there is none.`,
    }),
    html: Type.Union([Type.String(), Type.Null()], {
      description: `The HTML, sanitized, without remote content, made from at most ${HTML_MAX_CHARACTERS} characters of the source; comments, scripts and embedded images don’t count. Null if there is none, or if it shows nothing and there is a text.`,
    }),
    htmlOriginal: Type.Union([Type.String(), Type.Null()], {
      description: `The HTML as the sender wrote it, at most ${HTML_MAX_CHARACTERS} characters. Do not show it in a browser: it may contain scripts and remote content.`,
    }),
    headers: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The name as the sender wrote it' }),
        value: Type.String({ description: 'The value' }),
      }),
      { description: 'All header fields, in their order' },
    ),
    hasRemoteContent: Type.Boolean({ description: 'Whether remote content was removed from `html`' }),
    links: Type.Array(link, {
      description: `The web links of the HTML, or of the text if there is no HTML, at most ${LINKS_MAX}`,
    }),
    trackers,
    lookalike: Type.Union([Type.String(), Type.Null()], {
      description: 'The well-known domain that the domain of the sender may imitate',
    }),
    calendar: Type.Union([calendarEvent, Type.Null()], { description: 'The event in an attached calendar file' }),
    unsubscribe: Type.Union([unsubscribe, Type.Null()], {
      description: 'How to unsubscribe from the mailing list (RFC 2369)',
    }),
    truncated: Type.Boolean({
      description: 'Whether `text` or `html` was cut off. `GET /api/v1/messages/{id}/raw` returns everything.',
    }),
  },
  { $id: 'Message', description: 'A message with its content' },
)
export type MessageJson = Static<typeof message>

const unmatched = Type.Object({
  id: summaryFields.id,
  from: summaryFields.from,
  to: summaryFields.to,
  subject: summaryFields.subject,
  receivedAt: summaryFields.receivedAt,
  unmet: Type.Array(Type.Enum(['from', 'to', 'subject', 'body', 'words', 'has']), {
    description:
      'The query parameters that it does not match. `words` and `body` are checked in texts only if all others match.',
  }),
})

export const waitExplanation = Type.Object(
  {
    text: Type.String({ description: 'The explanation in English. It may change.' }),
    unmatched: Type.Array(unmatched, {
      description: 'Messages that arrived but do not match, newest first, at most 20',
    }),
    refused: Type.Array(refusedDelivery, {
      description:
        'Attempts to deliver that left no message, newest first, at most 10: since `since` or the message `after`, or all that are known. An attempt appears about a second after it happened.',
    }),
    expiresAt: Type.String({ format: 'date-time', description: 'When the address expires' }),
  },
  { $id: 'WaitExplanation', description: 'Why a wait ended without enough messages' },
)
export type WaitExplanationJson = Static<typeof waitExplanation>

export const messageList = Type.Object(
  {
    messages: Type.Array(Type.Unsafe<MessageSummaryJson>({ $ref: 'MessageSummary#' }), {
      description: 'The messages, newest first',
    }),
    next: Type.Union([Type.String(), Type.Null()], {
      description:
        'The value of `before` for the next page. Null on the last page. With conditions, at most 500 messages are searched for one page, and fewer if regular expressions take long, so it may be short or empty although there is a next page. A wait with `body` or `words` ends its page as soon as enough messages match.',
    }),
    explanation: Type.Optional(Type.Unsafe<WaitExplanationJson>({ $ref: 'WaitExplanation#' })),
  },
  { $id: 'MessageList', description: 'A page of messages' },
)
export type MessageListJson = Static<typeof messageList>

const MESSAGE_ID = '^[0-9a-hjkmnp-tv-z]{26}$'

const searched = (what: string, more = ' A regular expression is applied to the first 500 characters only.') =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Text that the ${what} must contain, ignoring case. Or a regular expression between slashes, with RE2 syntax and the flags i, m and s, such as \`/^Your code/i\`.${more}`,
    }),
  )

export const messageQuery = Type.Object({
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 60,
      description: `How long to wait for matching messages, in seconds (long polling). The response comes after ${HELD_MAX} seconds at most, because many proxies give up after 60. If too few match, it has an \`explanation\`.`,
    }),
  ),
  after: Type.Optional(
    Type.String({
      pattern: MESSAGE_ID,
      description:
        'Only messages newer than the one with this id. That one may be deleted or expired. An id that this address never had is `invalid_request`.',
    }),
  ),
  before: Type.Optional(
    Type.String({ pattern: MESSAGE_ID, description: 'Only messages older than the one with this id' }),
  ),
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only messages that arrived at this time or later' }),
  ),
  count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      description: 'The number of matching messages to wait for. 1 by default.',
    }),
  ),
  from: searched('sender, such as `Shop <shop@example.org>`,'),
  to: searched(
    'recipient as the sender wrote it, including any `+tag`,',
    ' One of `recipients` is enough. A regular expression is applied to the first 500 characters of each, and to 5,000 of all together.',
  ),
  subject: searched('subject'),
  body: searched(
    'text or the source of the sanitized HTML',
    ' A text that is too long for a complex regular expression does not match. A page whose texts take more than 20 seconds ends early: continue at `next`.',
  ),
  words: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words that the message must have, in any order, in its sender, subject, code, visible text or names of attachments. Case and accents are ignored.',
    }),
  ),
  has: Type.Optional(
    Type.Array(Type.Enum(['code', 'link', 'attachment']), {
      maxItems: 3,
      description: 'Only messages with this content. Repeat the parameter for several.',
    }),
  ),
})

export const streamQuery = Type.Object({
  lastEventId: Type.Optional(
    Type.String({
      maxLength: 20,
      description: 'The same as the header `Last-Event-ID`, for clients that cannot send headers',
    }),
  ),
})

export const inboxStreamQuery = Type.Object({
  ...streamQuery.properties,
  shown: Type.Optional(
    Type.Integer({
      description: 'For pages of the site: a checksum of the address that the page shows. Others are refused.',
    }),
  ),
})

/** How many messages one call deletes at most. */
const DELETED_AT_ONCE_MAX = 100

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

export const messagesOfAddress = Type.Object(
  {
    ...messageIds.properties,
    address: Type.Optional(
      Type.String({
        maxLength: 254,
        description:
          'The address of the messages. If the secret opens another one, nothing is deleted, and the status is 401',
      }),
    ),
  },
  { additionalProperties: false, $id: 'MessagesOfAddress' },
)

const id = Type.String({ description: 'The `id` of the message' })
export const messageId = Type.Object({ id })
export const attachmentId = Type.Object({
  id,
  index: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    description: 'The `index` of the attachment: `0`, `1` and so on, without leading zeros',
  }),
})
export const messageChange = Type.Partial(Type.Object(marks), {
  additionalProperties: false,
  minProperties: 1,
  description: 'The marks to change',
  examples: [{ seen: true }],
})
