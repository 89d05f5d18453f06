import { expect, test } from 'vitest'
import { translatedPath } from './translated-path.ts'

test.each([
  ['/', {}, 'en', '/en'],
  ['/', {}, 'zh', '/'],
  ['/', { message: '01a' }, 'de', '/de?message=01a'],
  ['/articleDetail', { slug: 'a' }, 'zh-TW', '/zh-TW/articleDetail?slug=a'],
  ['/contact', { sent: '1', reason: 'press' }, 'fr', '/fr/contact?reason=press'],
  ['/terms', { x: '1', slug: 'a'.repeat(101) }, 'de', '/de/terms'],
  ['/faq', {}, 'zh', '/faq'],
  ['/faq', { x: '1' }, 'en', '/en/problem#faq'],
  ['/faq', {}, 'zh-TW', '/zh-TW/problem#faq'],
  ['/change', { error: 'address_taken', retry: '3' }, 'zh', '/change'],
])('%s with %j is in %s at %s', (path, query, code, at) => expect(translatedPath({ path, query }, code)).toBe(at))
