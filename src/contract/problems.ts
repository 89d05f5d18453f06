import { type Static, Type } from 'typebox'
import { catalog, type ErrorCode } from '#core/errors.ts'

/** RFC 9457. `code` is stable; the texts are not. */
export const problem = Type.Object(
  {
    type: Type.String({ description: 'Always `about:blank`' }),
    title: Type.String({ description: 'What happened, in English. It may change.' }),
    status: Type.Integer({ description: 'The HTTP status' }),
    detail: Type.Optional(Type.String({ description: 'What exactly was wrong, in English. It may change.' })),
    code: Type.Enum(Object.keys(catalog) as ErrorCode[], {
      description: 'The stable code of the problem, for programs. New codes may be added.',
    }),
  },
  {
    $id: 'Problem',
    description: 'A problem (RFC 9457)',
    examples: [
      {
        type: 'about:blank',
        title: 'No valid secret',
        status: 401,
        detail: 'The secret is wrong, or the address has expired or was deleted.',
        code: 'unauthorized',
      },
    ],
  },
)
export type ProblemJson = Static<typeof problem>

/** The data of the error page. */
export interface ErrorData {
  status: number
  /** In English. For 404 followed by a colon and the requested path. */
  message: string
  description: string
  /** The requested path with its language prefix. */
  requested: string
  /** Whether the site has a page at that path. If so, a 404 means that the page refuses this request. */
  exists: boolean
}
