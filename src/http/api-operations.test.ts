import { expect, test } from 'vitest'
import en from '../../locales/en.json' with { type: 'json' }
import { apiOperations } from './api-operations.ts'

test('lists every operation for programs with its parameters and a description', () => {
  expect(apiOperations.map(({ method, path }) => `${method} ${path}`)).toContain(
    'GET /api/v1/messages/{id}/attachments/{index}',
  )
  expect(apiOperations.find(({ id }) => id === 'createAddress')?.parameters).toEqual(
    expect.arrayContaining(['login', 'domain', 'lifetime']),
  )
  expect(apiOperations.find(({ id }) => id === 'listMessages')?.parameters).toContain('wait')
  expect(apiOperations.map(({ id }) => `api.call.${id}`).filter((key) => !Object.hasOwn(en, key))).toEqual([])
  expect(apiOperations.some(({ path }) => path.includes('/session'))).toBe(false)
})
