import { type Static, Type } from 'typebox'

/** RFC 5321 4.5.3.1: 64 for the login, 255 for the domain, and the `@`. */
const ADDRESS_MAX = 320
const PASSWORD_MIN = 8
const PASSWORD_MAX = 1000

const address = Type.String({ maxLength: ADDRESS_MAX })

export const newAccount = Type.Object({
  address,
  password: Type.String({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX }),
})
export type NewAccountJson = Static<typeof newAccount>

/** Without a minimum length, because a password that is too short is just a wrong one. */
export const login = Type.Object({ address, password: Type.String({ maxLength: PASSWORD_MAX }) })
export type LoginJson = Static<typeof login>

export const seen = Type.Object({ seen: Type.Boolean() })
export type SeenJson = Static<typeof seen>

export const pageQuery = Type.Object({ page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }) })
export type PageQuery = Static<typeof pageQuery>

export const topicQuery = Type.Object({
  topic: Type.Array(Type.String(), { default: [] }),
  lastEventID: Type.Optional(Type.String()),
})
export type TopicQuery = Static<typeof topicQuery>
