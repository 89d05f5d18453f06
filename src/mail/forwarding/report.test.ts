import { afterAll, expect, test } from 'vitest'
import { bounces } from '#test/fixtures/mail/bounces.ts'
import { complaints } from '#test/fixtures/mail/complaints.ts'
import { noReports } from '#test/fixtures/mail/no-reports.ts'
import { bounce, report } from '#test/fixtures/mail/report.ts'
import { createReader } from '../reader/reader.ts'

const reader = createReader({ timeout: 3000 })
afterAll(() => reader.close())
const CLIENT = { clientAddress: '192.0.2.1' }
const lineFeeds = (mail: Buffer): Buffer => Buffer.from(mail.toString('latin1').replaceAll('\r', ''), 'latin1')

test.each(bounces)('recognizes a bounce: %s', async (_who, mail, statuses) => {
  expect(await reader.report(mail, CLIENT)).toEqual({ kind: 'bounce', statuses })
  expect(await reader.report(lineFeeds(mail), CLIENT)).toEqual({ kind: 'bounce', statuses })
})

test.each(complaints)('recognizes a complaint with %s', async (_what, mail, found) => {
  expect(await reader.report(mail, CLIENT)).toEqual({ kind: 'complaint', ...found })
  expect(await reader.report(lineFeeds(mail), CLIENT)).toEqual({ kind: 'complaint', ...found })
})

test.each(noReports)('returns undefined for %s', async (_what, mail) =>
  expect(await reader.report(mail, CLIENT)).toBeUndefined(),
)

const DSN = 'Reporting-MTA: dns; x\n\nAction: failed\nStatus: 5.1.1\n\n'
const one = { kind: 'bounce', statuses: ['5.1.1'] }
test.each([
  ['a header of a megabyte', Buffer.concat([Buffer.from(`X: ${'a'.repeat(1_000_000)}\r\n`), bounce(DSN)]), one],
  [
    'a header of three megabytes',
    Buffer.concat([Buffer.from(`X: ${'a'.repeat(3_000_000)}\r\n`), bounce(DSN)]),
    undefined,
  ],
  [
    'two thousand parts',
    report('delivery-status', ...Array.from({ length: 2000 }, () => 'Content-Type: message/delivery-status\n\nx')),
    undefined,
  ],
  ['a hundred thousand recipients', bounce(DSN.repeat(100_000)), undefined],
  [
    'a field without end',
    bounce(`${DSN}Action: failed\n${' 5.1.1\n'.repeat(60_000)}`),
    { kind: 'bounce', statuses: ['5.1.1', '5.0.0'] },
  ],
  [
    'a status without end',
    bounce(`x: y\n\nAction: failed\nStatus: ${'5.'.repeat(400_000)}\n`),
    { kind: 'bounce', statuses: ['5.0.0'] },
  ],
  ['white space without end', bounce(`${DSN}${' \n'.repeat(60_000)}x`), one],
  [
    'qmail without end',
    Buffer.from(`\r\nHi. This is the\n\n${'<a>:\n5.1.1\n\n'.repeat(20_000)}`),
    { kind: 'bounce', statuses: Array.from({ length: 99 }, () => '5.1.1') },
  ],
])('handles a hostile report: %s', async (_what, mail, result) => {
  const started = performance.now()
  expect(await reader.report(mail, CLIENT)).toEqual(result)
  expect(performance.now() - started).toBeLessThan(3000)
  expect(await reader.report(bounce(DSN), CLIENT)).toEqual(one)
})
