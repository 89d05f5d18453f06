import { Compile } from 'typebox/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { type ApiClient, call, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

/** Real responses, checked against the document that the service itself serves. */
let program: Program
let document: any
let owner: ApiClient
let id: string
beforeAll(async () => {
  program = await startProgram({
    env: {
      MAYFLY_API_REQUESTS_PER_SECOND: '100000',
      MAYFLY_ADDRESS_CREATE_BURST: '2',
      MAYFLY_ADDRESS_CREATE_SECONDS: '1000',
    },
  })
  document = await (await fetch(`${program.url}/api/v1/openapi.json`)).json()
  owner = await createAddress(program.url)
  const attachments = [{ filename: 'a.txt', content: 'a' }]
  await sendMail(program.smtpPort, { ...verificationMail(owner.address), attachments })
  id = (await owner.json('/api/v1/messages?wait=10')).messages[0].id
})
afterAll(() => program.stop())

const valid = (schema: object, value: unknown) => {
  const [ok, errors] = Compile({ components: document.components, ...schema }).Errors(value)
  return ok ? [] : errors
}

/** Checks that every object of the response has only properties of its schema, so that the document is complete. */
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return copy.properties && copy.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy
}

async function check(operation: string, response: Response): Promise<any> {
  const [method = '', path = ''] = operation.split(' ')
  const documented = document.paths[path][method.toLowerCase()].responses[response.status]
  expect(documented, `${operation} answers ${response.status}`).toBeDefined()
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  const text = await response.text()
  if (documented.content === undefined) return expect(text).toBe('')
  expect(Object.keys(documented.content)).toContain(type)
  if (!type.endsWith('json')) return undefined
  const body = JSON.parse(text)
  expect(valid(closed(documented.content[type].schema), body)).toEqual([])
  if (type.includes('problem')) expect(documented.description).toContain(`\`${body.code}\``)
  return body
}

test('the document is OpenAPI 3.1 and every schema in it is valid', () => {
  expect(document.openapi).toBe('3.1.0')
  for (const schema of Object.values<object>(document.components.schemas)) valid(schema, {})
  expect(valid({ $ref: '#/components/schemas/Address' }, {})).not.toEqual([])
})

test.each([
  ['GET', '/api/v1/address', 200],
  ['POST', '/api/v1/address/extend', 200],
  ['GET', '/api/v1/messages', 200],
  ['GET', '/api/v1/messages?wait=61', 400],
  ['GET', '/api/v1/messages/{id}', 200],
  ['PATCH', '/api/v1/messages/{id}', 200, { seen: true }],
  ['PATCH', '/api/v1/messages/{id}', 400, { seen: 1 }],
  ['GET', '/api/v1/messages/{id}/raw', 200],
  ['GET', '/api/v1/messages/{id}/attachments/{index}', 404],
  ['GET', '/api/v1/domains', 200],
  ['GET', '/api/v1/openapi.json', 200],
  ['GET', '/livez', 200],
  ['GET', '/readyz', 200],
  ['POST', '/api/v1/session/reveal', 403],
  ['POST', '/api/v1/session', 400, {}],
  ['DELETE', '/api/v1/messages/{id}', 204],
  ['GET', '/api/v1/messages/{id}', 404],
  ['PATCH', '/api/v1/messages/{id}', 404, { seen: true }],
  ['DELETE', '/api/v1/messages/{id}', 404],
  ['GET', '/api/v1/messages/{id}/raw', 404],
  ['GET', '/api/v1/messages/{id}/attachments/{index}', 404],
  ['DELETE', '/api/v1/address', 204],
  ['GET', '/api/v1/address', 401],
  ['GET', '/api/v1/events', 401],
] as [string, string, number, object?][])('%s %s: %i, as documented', async (method, path, status, body) => {
  const response = await owner.send(method, path.replace('{id}', id).replace('{index}', '9'), body)
  expect(response.status).toBe(status)
  await check(`${method} ${path.split('?')[0]}`, response)
})

test('POST /api/v1/addresses responds as documented, up to the rate limit', async () => {
  const operation = 'POST /api/v1/addresses'
  const create = (body: object) => call(program.url, 'POST', '/api/v1/addresses', body)
  expect(await check(operation, await create({}))).toMatchObject({ lifetime: 'day' })
  expect(await check(operation, await create({ login: 'admin' }))).toMatchObject({ code: 'too_many_requests' })
  expect(await check(operation, await create({ login: 1 }))).toMatchObject({ code: 'invalid_request' })
})
