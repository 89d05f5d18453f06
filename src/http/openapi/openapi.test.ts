import { describe, expect, test } from 'vitest'
import { documentedApp, openApiDocument } from '#composition/openapi-document.ts'
import { mentionsOf } from '#content/figures.ts'
import { catalog, type ErrorCode } from '#core/errors.ts'
import { OTHER_FIGURES } from '#test/http/figures.ts'
import committed from '../../../openapi.json' with { type: 'json' }

const document: any = await openApiDocument()
const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({
    call: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
)

/** Every route of the code, read from the tree that Fastify prints. Each GET has a HEAD. */
async function registered(): Promise<string[]> {
  const app = await documentedApp()
  const path: string[] = []
  const calls = app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\S+)(?: \((.*)\))?$/.exec(line) ?? []
      path.length = Math.max(0, indent.length / 4 - 1)
      path.push(part)
      return methods.split(', ').map((method) => `${method} ${path.join('').replace(/:(\w+)/g, '{$1}')}`)
    })
  await app.close()
  return calls.filter((call) => /^(?!HEAD|OPTIONS)[A-Z]+ \//.test(call))
}

test('openapi.json is up to date', () => expect(committed).toEqual(document))

/** The texts of a document, joined. */
const textsOf = (part: object): string =>
  Object.entries(part)
    .map(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? textsOf(value)
        : name === 'description' || name === 'summary'
          ? String(value)
          : '',
    )
    .join('\n')

describe('with other settings', () => {
  const limits = { SUPPORT_SECONDS: '141', ORDER_BURST: '142', SIGN_IN_SECONDS: '143', FORWARD_ASK_BURST: '144' }
  const env = {
    ...OTHER_FIGURES,
    ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [`MAYFLY_${name}`, value])),
    MAYFLY_STREAM_KEEPALIVE_SECONDS: '1',
  }

  test('has their figures, and no default', async () => {
    const texts = textsOf(await openApiDocument(env))
    for (const figure of [
      'One address per 138 seconds and IP address, 139,000 in a burst.',
      'up to 153 addresses may exist',
      'reserved for 133 days',
      '`day`: 131 hours after',
      '`ten-minutes`: 132 minutes after',
      '`ten-minutes`: it expires 132 minutes after',
      'the 132 minutes of `ten-minutes`',
      '152 requests a second, and 1,410 open event streams and waiting requests',
      'One message per 141 seconds and IP address',
      'One order per 30 seconds and IP address, 142 in a burst',
      'One request per 143 seconds and IP address',
      'One request per 30 seconds and IP address, 144 in a burst',
      'A comment every second keeps',
    ])
      expect(texts).toContain(figure)
    expect(texts).not.toMatch(/\b8 seconds and IP|1,000|30 days|`day`: 24 hours|10 minutes|25 seconds|per minute/)
    // The documents of other settings are not affected.
    expect(await openApiDocument()).toEqual(committed)
  })

  test('says what holds on this machine and without keys', async () => {
    const local = 'On the computer that runs this service, requests without a key have no limit.'
    expect(textsOf(document)).toContain(local)
    const texts = textsOf(
      await openApiDocument({
        MAYFLY_PUBLIC_URL: 'https://mail.example',
        MAYFLY_ADDRESS_CREATE_SECONDS: '1',
        MAYFLY_PREMIUM_KEYS_MAX: '0',
      }),
    )
    expect(texts).not.toContain(local)
    expect(texts).toContain('One address per second and IP address')
    expect(texts).not.toContain('With an API key there is no such limit')
  })

  test.each([{}, env])('has no mention of a figure that was not filled in: %#', async (settings) =>
    expect(mentionsOf(textsOf(await openApiDocument(settings)))).toEqual([]),
  )
})

test('has exactly the routes of the code, without those of the pages', async () => {
  const forPrograms = (await registered()).filter(
    (call) =>
      !/ \/(?:\{lang\}\/)?(?:actions|ads|apps|api\/reference|forwarded|frame|llms|proxy|robots|sitemap|webhooks|\.well-known\/security)\b|\.webmanifest$|\/mta-sts\.txt$/.test(
        call,
      ),
  )
  expect(operations.map(({ call }) => call).toSorted()).toEqual(forPrograms.toSorted())
})

test('has every call of the API', () => {
  expect(operations.map(({ call }) => call.replace('/api/v1', '')).toSorted()).toEqual(
    [
      'GET /openapi.json',
      'GET /livez',
      'GET /readyz',
      'POST /addresses',
      'GET /address',
      'DELETE /address',
      'POST /address/extend',
      'POST /address/secret',
      'GET /address/faults',
      'PUT /address/faults',
      'DELETE /address/faults',
      'GET /address/push',
      'POST /address/push',
      'DELETE /address/push/{id}',
      'DELETE /push/{id}',
      'DELETE /key',
      'DELETE /key/addresses',
      'GET /messages',
      'GET /messages/{id}',
      'PATCH /messages/{id}',
      'DELETE /messages/{id}',
      'POST /messages/delete',
      'GET /messages/{id}/raw',
      'GET /messages/{id}/checks',
      'GET /messages/{id}/attachments',
      'POST /messages/{id}/unsubscribe',
      'GET /deliveries',
      'GET /account/private/{id}/deliveries',
      'GET /messages/{id}/attachments/{index}',
      'GET /events',
      'GET /domains',
      'POST /session',
      'DELETE /session',
      'GET /forwardings',
      'POST /forwardings',
      'PATCH /forwardings/{id}',
      'DELETE /forwardings/{id}',
      'POST /forwardings/{id}/restart',
      'GET /forwardings/log',
      'POST /session/reveal',
      'POST /support',
      'POST /orders',
      'GET /orders/{id}',
      'POST /orders/{id}/session',
      'POST /sandbox/{order}',
      'POST /account/sign-in',
      'POST /account/session',
      'DELETE /account/session',
      'GET /account',
      'DELETE /account',
      'DELETE /account/sessions/{id}',
      'POST /account/portal',
      'GET /account/export',
      'GET /account/domains',
      'POST /account/domains',
      'POST /account/domains/{name}/check',
      'PATCH /account/domains/{name}',
      'DELETE /account/domains/{name}',
      'POST /account/private-addresses',
      'GET /account/private/{id}/messages',
      'GET /account/private/{id}/messages/{message}/body',
      'PATCH /account/private/{id}/messages/{message}',
      'DELETE /account/private/{id}/messages/{message}',
      'POST /account/private/{id}/messages/delete',
      'GET /account/private/{id}/events',
      'POST /account/private/remote',
      'PUT /account/private/{id}/messages/{message}/summary',
      'GET /account/keys',
      'POST /account/keys',
      'DELETE /account/keys/{id}',
      'GET /account/webhooks',
      'POST /account/webhooks',
      'POST /account/webhooks/{id}/test',
      'DELETE /account/webhooks/{id}',
      'GET /account/addresses',
      'POST /account/addresses',
      'PATCH /account/addresses/{id}',
      'DELETE /account/addresses/{id}',
      'POST /account/addresses/{id}/open',
      'POST /account/addresses/{id}/reveal',
      'POST /account/addresses/{id}/secret',
      'GET /account/events',
    ].toSorted(),
  )
})

test('describes the responses and problems of every call', () => {
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { call, summary, tags, responses } of operations) {
    expect(summary).toMatch(/\w/)
    expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true)
    expect(Object.values<any>(responses).every(({ description }) => description !== 'Default Response')).toBe(true)
    if (tags.includes('Service')) continue
    for (const [status, { content, description }] of Object.entries<any>(responses)) {
      if (status.startsWith('2')) continue
      expect(content['application/problem+json'].schema, call).toEqual({ $ref: '#/components/schemas/Problem' })
      const codes = [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code as ErrorCode)
      expect(codes.map((code) => catalog[code].status)).toEqual(Array(codes.length).fill(Number(status)))
      expect(codes).not.toHaveLength(0)
    }
    expect(responses['429'].headers['Retry-After'].schema.type).toBe('integer')
  }
})

test('names every code that a problem may have', () =>
  expect(document.components.schemas.Problem.properties.code.enum).toEqual(Object.keys(catalog)))

test('resolves every reference', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
  for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name)
})

test('marks exactly the calls that need a secret', () => {
  const bearing = operations.filter(({ security }) => security.some((each: object) => 'secret' in each))
  expect(
    bearing.map(({ call }) => call).every((call) => /address|messages|events|deliveries|forwardings/.test(call)),
  ).toBe(true)
  for (const { responses, call } of operations)
    if (responses['401']?.description.includes('`unauthorized`') && !/session|account/.test(call))
      expect(bearing.map((each) => each.call)).toContain(call)
  expect(document.components.securitySchemes.secret).toMatchObject({ type: 'http', scheme: 'bearer' })
})
