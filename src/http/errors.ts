import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemJson } from '#contract/problems.ts'
import { catalog, type ErrorCode, MayflyError } from '#core/errors.ts'
import type { Logger } from '#core/telemetry.ts'
import { READABLE_BY_ALL } from './cors.ts'

/** Codes of Fastify errors that clients may see. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_VALIDATION: 'invalid_request',
}

/** Converts any error into one of the catalog. Unknown errors become `internal` without details. */
export function toMayflyError(error: unknown): MayflyError {
  if (error instanceof MayflyError) return error
  const { code, message, statusCode } = error as Partial<FastifyError>
  const known = FASTIFY_CODES[code ?? '']
  if (known) return new MayflyError(known, message)
  // Other faults that Fastify and its plugins find in a request, such as a failed If-Match.
  const theirs = statusCode !== undefined && statusCode >= 400 && statusCode < 500
  return theirs ? new MayflyError('invalid_request') : new MayflyError('internal', undefined, { cause: error })
}

/** Returns the RFC 9457 problem details of an error. */
export function problemOf({ code, detail }: MayflyError): ProblemJson {
  const { status, title } = catalog[code]
  return { type: 'about:blank', title, status, ...(detail === undefined ? {} : { detail }), code }
}

export function sendProblem(reply: FastifyReply, error: MayflyError): FastifyReply {
  const { status } = catalog[error.code]
  // HTTP requires this header with 401 (RFC 9110 11.6.1).
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  if (error.code === 'too_many_requests' && !reply.hasHeader('retry-after')) reply.header('retry-after', 1)
  return reply.status(status).type('application/problem+json').serializer(JSON.stringify).send(problemOf(error))
}

/** The only mapper from errors to HTTP responses. */
export function errorHandler(logger: Logger, show: ShowError) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const mapped = toMayflyError(error)
    // A response that was replaced in its last hook has headers already.
    reply.header('cache-control', 'no-store').removeHeader('content-disposition').removeHeader('etag')
    if (mapped.code === 'internal') logger.error({ err: mapped.cause ?? mapped }, 'request failed')
    try {
      const shown = await show(request, reply, mapped)
      if (shown) return shown
    } catch (failure) {
      logger.error({ err: failure }, 'error page failed')
    }
    return sendProblem(reply, mapped)
  }
}

/** For responses that no hook adds headers to. */
const BARE_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', ...READABLE_BY_ALL }

/** A URL that can't be decoded reaches no route and no hook that sets headers. */
export function answerFrameworkError(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(BARE_HEADERS)
  void sendProblem(reply, toMayflyError(error))
}

/** Requests that Node's parser refuses before they reach Fastify. */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy()
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const problem = { ...problemOf(new MayflyError('invalid_request')), title: STATUS_CODES[status] ?? '', status }
  socket.end(bareResponse(problem))
}

/** Returns the bytes of a response to a client whose request was not read. They close the connection. */
export function bareResponse(problem: ProblemJson, headers: Record<string, string | number> = {}): string {
  const body = JSON.stringify(problem)
  const all = {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    ...BARE_HEADERS,
    ...headers,
    connection: 'close',
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...head].join('\r\n')}\r\n\r\n${body}`
}

/**
 * Responds to an error with a page if a person requested one. Returns undefined if the response is a problem document
 * for a program.
 */
export type ShowError = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: MayflyError,
) => Promise<FastifyReply | undefined>
