import { expect, test } from 'vitest'
import { verdictOf } from './authenticity.tsx'

test.each([
  ['temperror', 'temperror', 'temperror', 'unchecked'],
  ['pass', 'temperror', 'temperror', 'none'],
  ['pending', 'pending', 'pending', 'pending'],
  ['pass', 'pass', 'pass', 'pass'],
  ['none', 'none', 'fail', 'fail'],
  ['fail', 'none', 'none', 'fail'],
  ['none', 'none', 'none', 'none'],
] as const)('SPF %s, DKIM %s, DMARC %s: %s', (spf, dkim, dmarc, verdict) =>
  expect(verdictOf({ spf, dkim, dmarc })).toBe(verdict),
)
