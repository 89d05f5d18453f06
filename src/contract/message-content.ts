import { type Static, Type } from 'typebox'

export const link = Type.Object({
  url: Type.String({ description: 'The URL' }),
  text: Type.String({ description: 'The text of the link, at most 200 characters' }),
  host: Type.String({ description: 'The host that the link leads to' }),
  named: Type.Union([Type.String(), Type.Null()], {
    description: 'The host that the text names, if the link leads to another domain',
  }),
})

const counts = {
  images: Type.Integer({ minimum: 0, description: 'The number of remote images' }),
  pixels: Type.Integer({ minimum: 0, description: 'The number of those images that are too small to be seen' }),
  links: Type.Integer({ minimum: 0, description: 'The number of links that count clicks' }),
}
export const trackers = Type.Object(
  {
    ...counts,
    hosts: Type.Array(
      Type.Object({
        host: Type.String({ description: 'The host' }),
        company: Type.Union([Type.String(), Type.Null()], { description: 'The service behind it, if it is known' }),
        ...counts,
      }),
      { description: 'The hosts that would learn most, at most 50' },
    ),
  },
  { description: 'What opening the message would tell others about the reader' },
)

export const calendarEvent = Type.Object({
  kind: Type.Enum(['event', 'invitation', 'answer', 'cancelled'], { description: 'What the calendar file says' }),
  summary: Type.String({ description: 'The title of the event' }),
  start: Type.String({
    description: 'The start: RFC 3339 in UTC, without `Z` for a time without a time zone, or a date for whole days',
  }),
  end: Type.Union([Type.String(), Type.Null()], { description: 'The end, like `start`, exclusive' }),
  recurring: Type.Boolean({ description: 'Whether the event is repeated' }),
  location: Type.String({ description: 'The location' }),
  organizer: Type.Union(
    [
      Type.Object({
        name: Type.String({ description: 'The display name' }),
        address: Type.String({ description: 'The email address' }),
      }),
      Type.Null(),
    ],
    { description: 'The organizer' },
  ),
  attachment: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'The `index` of the attachment with the calendar file',
  }),
  copies: Type.Array(Type.Integer({ minimum: 0 }), {
    description: 'The `index` of each other attachment with the same file: many senders add an invitation twice',
  }),
})
export type CalendarEventJson = Static<typeof calendarEvent>

export const unsubscribe = Type.Object({
  url: Type.String({ description: 'The URL' }),
  host: Type.String({ description: 'Its host' }),
  oneClick: Type.Boolean({
    description: 'Whether one request is enough (RFC 8058): `POST /api/v1/messages/{id}/unsubscribe`',
  }),
})
