import { expect, test } from 'vitest'
import type { ForwardingLogEntryJson, ForwardingLogJson } from '#contract/forwarding.ts'
import { withNew } from './with-new.ts'

/** Entries by their ids, a letter each. */
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
  ['the first page', null, log('cb', 'b'), log('cb', 'b')],
  ['nothing yet', log('', null), log('', null), log('', null)],
  ['one more on top', log('cba', null), log('dc', 'c'), log('dcba', null)],
  ['older ones stay, with the way to more', log('dcba', 'a'), log('dc', 'c'), log('dcba', 'a')],
  ['more than a page at once: what lies between is not known', log('ba', null), log('fe', 'e'), log('fe', 'e')],
  ['what is shown has gone', log('ba', null), log('', null), log('', null)],
])('%s', (_name, shown, newest, all) => expect(withNew(shown, newest)).toEqual(all))

test('what became of an entry is news, too', () =>
  expect(withNew(log('ba', null), log('ba', null, 'sent'))).toEqual(log('ba', null, 'sent')))
