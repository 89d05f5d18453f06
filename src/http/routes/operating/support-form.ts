import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SupportForm } from '#core/operating/support.ts'
import type { RouteContext } from '../../context.ts'
import { takeOrThrow } from '../../limits/limits.ts'

/** The value of the field that people don't see and bots fill in. */
type Trap = string | undefined

/**
 * Sends a form to the operator. Invalid input does not count for the limit. If the trap is filled in, the response
 * looks like success, so that the bot does not learn.
 */
export async function sendForm(
  { account, deps, rates }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  form: SupportForm,
  trap: Trap,
): Promise<void> {
  const premium = (await account.find(request))?.active ?? false
  const email = deps.support.email(form, { premium })
  takeOrThrow(rates.supportForms, request, reply)
  if (!trap) await deps.support.send(email, request.ip)
  deps.metrics.count('support_forms', { kind: form.kind, outcome: trap ? 'trapped' : 'sent' })
}
