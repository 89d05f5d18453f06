import { type Static, Type } from 'typebox'

/** RFC 9457. `code` is stable, the words are not. */
export const problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.Optional(Type.String()),
    code: Type.String(),
  },
  { title: 'Problem' },
)
export type ProblemJson = Static<typeof problem>
