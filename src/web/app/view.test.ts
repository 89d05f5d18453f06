import { expect, test } from 'vitest'
import type { PagePayload } from '#contract/pages.ts'
import { headOf } from '../document/head.ts'
import { payloadPath } from '../navigation/paths.ts'
import { viewOf } from './view.ts'

const payload = (page: string, data: object = {}) => ({ page, data }) as PagePayload

test.each([
  ['home', { message: null, address: null }, 'home'],
  ['home', { message: null, address: {} }, 'home'],
  ['home', { message: {}, address: {} }, 'message'],
  ['home', { message: {}, address: null }, 'home'],
  ['home', { message: {}, address: {}, panel: 'question' }, 'delete'],
  ['home', { message: null, address: {}, panel: 'question' }, 'delete'],
  ['home', { message: null, address: {}, panel: {} }, 'delete'],
  ['home', { message: null, address: null, panel: {} }, 'home'],
  ['change', {}, 'change'],
  ['error', { status: 404 }, 'error'],
] as const)('%s with %j is shown as %s', (page, data, view) => expect(viewOf(payload(page, data))).toBe(view))

test.each([
  ['/', '/_payload.json'],
  ['/en', '/en/_payload.json'],
  ['/en/', '/en/_payload.json'],
  ['/en/change?error=x&retry=2', '/en/change/_payload.json?error=x&retry=2'],
  ['/en?message=1#secret=2', '/en/_payload.json?message=1'],
])('the payload of %s is at %s', (href, at) => expect(payloadPath(href)).toBe(at))

test('titles a page in its language and an error by its status', () => {
  const text = (key: string): string => `«${key}»`
  expect(headOf(payload('change'), text)).toEqual({
    title: '«change.metaTitle»',
    description: '«change.metaDescription»',
    keywords: '«change.metaKeywords»',
  })
  expect(headOf(payload('error', { status: 500 }), text).title).toBe('500 · «site.name»')
})
