import type { FastifyReply, FastifyRequest, FastifyError } from 'fastify'
import { catalog, type ErrorCode, MayflyError } from '#core/errors.ts'
import type { ShowCompatError } from '../shared.ts'
import { sendJson } from './resource.ts'

const TITLE = 'An error occurred'
const UNPROCESSABLE = 422

interface Violation {
  propertyPath: string
  message: string
}

/** Errors of a new account that are about its address. */
const OF_ADDRESS: ReadonlySet<ErrorCode> = new Set([
  'address_taken',
  'login_invalid',
  'login_reserved',
  'domain_unknown',
  'premium_required',
])

/** Returns what is wrong with the fields of a body; nothing for other errors. */
function violationsOf({ code, message }: MayflyError, cause: unknown): Violation[] {
  if (code === 'address_taken') return [{ propertyPath: 'address', message: 'This value is already used.' }]
  if (OF_ADDRESS.has(code)) return [{ propertyPath: 'address', message: `${message}.` }]
  const { validation = [], validationContext } = Object(cause) as Partial<FastifyError>
  if (validationContext !== 'body') return []
  return validation.map(({ instancePath, message: text = 'This value is not valid', params }) => ({
    propertyPath: instancePath.slice(1) || String(params.missingProperty ?? ''),
    message: text,
  }))
}

function sendViolations(request: FastifyRequest, reply: FastifyReply, violations: readonly Violation[]): FastifyReply {
  const detail = violations.map(({ propertyPath, message }) => `${propertyPath}: ${message}`).join('\n')
  return sendJson(
    request,
    reply.status(UNPROCESSABLE),
    {
      '@context': '/contexts/ConstraintViolationList',
      '@type': 'ConstraintViolationList',
      'hydra:title': TITLE,
      'hydra:description': detail,
      violations,
    },
    { type: 'about:blank', title: TITLE, status: UNPROCESSABLE, detail, violations },
  )
}

/** Errors as API Platform (https://api-platform.com) and its JWT plug-in show them. */
export const showError: ShowCompatError = (request, reply, error, cause) => {
  const violations = violationsOf(error, cause)
  if (violations.length > 0) return sendViolations(request, reply, violations)
  const { status } = catalog[error.code]
  if (error.code === 'unauthorized') {
    const body = { code: status, message: error.message }
    return sendJson(request, reply.status(status).header('www-authenticate', 'Bearer'), body, body)
  }
  const detail = error.message
  return sendJson(
    request,
    reply.status(status),
    { '@context': '/contexts/Error', '@type': 'hydra:Error', 'hydra:title': TITLE, 'hydra:description': detail },
    { type: 'about:blank', title: TITLE, status, detail },
  )
}
