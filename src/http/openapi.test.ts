import { expect, test } from 'vitest'
import { catalogue } from '#core/errors.ts'
import committed from '../../openapi.json' with { type: 'json' }
import { openApiDocument } from './openapi-document.ts'

const document: any = await openApiDocument()

test('openapi.json is what the routes say', () => expect(committed).toEqual(document))

test('has every call of the API', () => {
  const calls = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
  )
  expect(calls.toSorted()).toEqual(
    [
      'POST /addresses',
      'GET /address',
      'DELETE /address',
      'POST /address/extend',
      'GET /messages',
      'GET /messages/{id}',
      'PATCH /messages/{id}',
      'DELETE /messages/{id}',
      'GET /messages/{id}/raw',
      'GET /messages/{id}/attachments/{index}',
      'GET /events',
      'GET /domains',
      'POST /session',
      'DELETE /session',
      'POST /session/reveal',
    ].toSorted(),
  )
})

test('every call says what it answers, and how problems look', () => {
  for (const methods of Object.values<any>(document.paths)) {
    for (const { summary, responses } of Object.values<any>(methods)) {
      expect(summary).toMatch(/\w/)
      expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true)
      expect(Object.values<any>(responses).every(({ description }) => description !== 'Default Response')).toBe(true)
      expect(responses['429'].content['application/problem+json'].schema).toEqual({
        $ref: '#/components/schemas/Problem',
      })
    }
  }
})

test('names every code that a problem may have', () =>
  expect(document.components.schemas.Problem.properties.code.enum).toEqual(Object.keys(catalogue)))

test('every reference leads somewhere', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
  for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name)
})
