import { expect, test } from 'vitest'
import en from '../../locales/en.json' with { type: 'json' }
import { calls } from './calls.ts'

test('lists every call for programs with its parameters and a description', () => {
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toContain(
    'GET /api/v1/messages/{id}/attachments/{index}',
  )
  expect(calls.find(({ id }) => id === 'createAddress')?.parameters).toEqual(
    expect.arrayContaining(['login', 'domain', 'lifetime']),
  )
  expect(calls.find(({ id }) => id === 'listMessages')?.parameters).toContain('wait')
  expect(calls.map(({ id }) => `api.call.${id}`).filter((key) => !Object.hasOwn(en, key))).toEqual([])
  expect(calls.some(({ path }) => path.includes('/session'))).toBe(false)
})
