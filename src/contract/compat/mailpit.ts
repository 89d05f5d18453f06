import { type Static, Type } from 'typebox'

const ids = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 })
const timeZone = Type.Optional(Type.String({ maxLength: 100 }))

/** Texts, because Mailpit takes the default for what is not a number above 0. */
const pages = {
  start: Type.String({ maxLength: 100, default: '' }),
  limit: Type.String({ maxLength: 100, default: '' }),
  /** Only messages from before this date. */
  before: Type.String({ maxLength: 100, default: '' }),
}
export const listQuery = Type.Object(pages)
export type ListQuery = Static<typeof listQuery>

const search = { query: Type.String({ maxLength: 2000, default: '' }), tz: timeZone }
export const searchQuery = Type.Object({ ...pages, ...search })
export type SearchQuery = Static<typeof searchQuery>
export const matchQuery = Type.Object(search)
export type MatchQuery = Static<typeof matchQuery>

export const readStatus = Type.Object({
  Read: Type.Boolean({ default: false }),
  IDs: Type.Union([ids, Type.Null()], { default: null }),
  Search: Type.String({ maxLength: 2000, default: '' }),
})
export type ReadStatusJson = Static<typeof readStatus>
export const readStatusQuery = Type.Object({ tz: timeZone })
export type ReadStatusQuery = Static<typeof readStatusQuery>

export const deleteRequest = Type.Object({ IDs: Type.Optional(Type.Union([ids, Type.Null()])) })
export type DeleteRequestJson = Static<typeof deleteRequest>
