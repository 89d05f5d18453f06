import { expect, test } from 'vitest'
import { findCodeAndLink } from './finder.ts'
import { measure } from './measure.ts'
import { plainMails } from './plain.ts'

/** Other values than those that are learned from. */
const mails = plainMails(2, 1)

test.each([
  ['code', 0.99, 0.95],
  ['link', 0.99, 0.97],
] as const)('the shortest mails about a %s are understood in each language', (kind, precision, recall) => {
  const found = measure(mails, kind, findCodeAndLink)
  expect(found.precision).toBeGreaterThanOrEqual(precision)
  expect(found.recall).toBeGreaterThanOrEqual(recall)
})
