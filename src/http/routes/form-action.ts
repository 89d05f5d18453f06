import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathIn } from '#locales/languages.ts'
import type { RouteContext } from '../context.ts'

export type Fields = Record<string, string | undefined>

/** A repeated field or a body that is not a form counts as missing. */
export const fieldsOf = (body: unknown): Fields =>
  Object.fromEntries(Object.entries(Object(body) as object).filter(([, value]) => typeof value === 'string'))

/** The text of a field that the visitor filled in. */
export const filled = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined)

/** Returns the redirect target if it differs from the page that the action names. */
export type Act = (
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: Fields & { lang: string },
) => Promise<string | void>

export interface Action {
  act: Act
  /** The page after success, and the page after a refusal. Default: the home page. */
  done?: string
  refused?: string
  /** After a refusal, the visitor's input is shown again. */
  keeps?: true
}

/** The page that asks before something is done to an address or a message. `of` says to which one. */
export const askPath = (
  lang: string,
  path = '/',
  of: Record<string, string> = {},
  ask: 'delete' | 'replace' = 'delete',
): string => pathIn(lang, `${path}?${new URLSearchParams({ ...of, ask }).toString()}`)
