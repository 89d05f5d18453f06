import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MayflyError, smtpReply } from '#core/errors.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { OperatorShare } from '#core/mailbox/message-store.ts'
import type { ForwardingReports } from '#features/forwarding/index.ts'
import type { AcceptedRecipient } from './accepted-recipient.ts'
import { readReports } from './read-reports.ts'

const MAIL = Buffer.from('Subject: x\r\n\r\n')
const client = { clientAddress: '192.0.2.1' }
const row = (lifetime: string) => ({ id: 'x', lifetime }) as unknown as RecipientRow
const operator = (share: OperatorShare): AcceptedRecipient => ({
  recipient: 'abuse@mayfly.test',
  maxBytes: 1,
  row: row('operator'),
  operator: { share, from: '192.0.2.1' },
})
const returnPath: AcceptedRecipient = { recipient: 'srs0=x@mayfly.test', maxBytes: 1, jobId: 'job' }
const mailbox: AcceptedRecipient = { recipient: 'a@mayfly.test', maxBytes: 1, row: row('day') }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['abuse@', [operator('abuse')], [[]]],
  ['postmaster@', [operator('postmaster')], [[]]],
  ['a return path', [mailbox, returnPath], [['job']]],
  ['a mailbox', [mailbox], []],
  ['our contact form', [operator('contact')], []],
  ['our problem form', [operator('problem')], []],
  ['the form of subscribers', [operator('premium')], []],
])('reads what may be a report: a message to %s', async (_what, recipients, jobs) => {
  const read = vi.fn<ForwardingReports['read']>(async () => {})
  await readReports({ read }, recipients, MAIL, client)
  expect(read.mock.calls.map(([, jobIds]) => jobIds)).toEqual(jobs)
  for (const [, , options] of read.mock.calls) expect(options).toMatchObject(client)
  expect(vi.getTimerCount()).toBe(0)
})

/** A reader that is busy until the signal aborts. */
const busy = {
  read: (_raw: Uint8Array, _jobIds: readonly string[], { signal }: { signal?: AbortSignal | undefined }) =>
    new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
}
const outcome = (promise: Promise<void>): Promise<unknown> => promise.catch((error: unknown) => error)

test('the sender of a report that waits too long for the reader tries again', async () => {
  let settled = false
  const reading = outcome(readReports(busy, [returnPath], MAIL, client)).finally(() => (settled = true))
  await vi.advanceTimersByTimeAsync(19_999)
  expect(settled).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(smtpReply(await reading)).toBe('451 4.3.0 Local error, please try again')
})

test('a report is no longer read when its sender has left', async () => {
  const session = new AbortController()
  const reading = outcome(readReports(busy, [returnPath], MAIL, client, session.signal))
  const left = new Error('left')
  session.abort(left)
  expect(await reading).toBe(left)
  expect(vi.getTimerCount()).toBe(0)
})

test('a reader that has no room for a report is not a service that shuts down', async () => {
  const read = async () => Promise.reject(new MayflyError('unavailable'))
  expect(smtpReply(await outcome(readReports({ read }, [returnPath], MAIL, client)))).toMatch(/^451 4\.3\.0/)
})
