import { type Static, Type } from 'typebox'
import { catalogue, type ErrorCode } from '#core/errors.ts'

/** RFC 9457. `code` is stable; the texts are not. */
export const problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.Optional(Type.String()),
    code: Type.Enum(Object.keys(catalogue) as ErrorCode[], { description: 'Stable; the words beside it are not' }),
  },
  { $id: 'Problem' },
)
export type ProblemJson = Static<typeof problem>
