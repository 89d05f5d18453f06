import { expect, test } from 'vitest'
import type { ForwardingLogEntryJson, ForwardingLogJson } from '#contract/forwarding.ts'
import { withNew } from './with-new.ts'

/** Log entries by their ids, one character each. */
const log = (
  ids: string,
  next: string | null,
  outcome: ForwardingLogEntryJson['outcome'] = null,
): ForwardingLogJson => ({
  entries: [...ids].map((id) => ({
    id,
    destination: null,
    at: '2026-11-21T12:00:00.000Z',
    outcome,
    status: null,
    nextTryAt: null,
    message: null,
  })),
  next,
})

test.each([
  ['uses the first batch', null, log('cb', 'b'), log('cb', 'b')],
  ['nothing yet', log('', null), log('', null), log('', null)],
  ['adds a new entry at the top', log('cba', null), log('dc', 'c'), log('dcba', null)],
  ['keeps older entries and their cursor', log('dcba', 'a'), log('dc', 'c'), log('dcba', 'a')],
  ['drops older entries if there is a gap', log('ba', null), log('fe', 'e'), log('fe', 'e')],
  ['drops entries that are gone', log('ba', null), log('', null), log('', null)],
])('%s', (_name, shown, newest, all) => expect(withNew(shown, newest)).toEqual(all))

test('updates the outcome of an entry', () =>
  expect(withNew(log('ba', null), log('ba', null, 'sent'))).toEqual(log('ba', null, 'sent')))
