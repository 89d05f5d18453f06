import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FakeRspamd, startFakeRspamd } from '#test/support/fakes/rspamd.ts'
import { createSpamFilter } from './spam-filter.ts'

let rspamd: FakeRspamd
beforeAll(async () => {
  rspamd = await startFakeRspamd()
})
beforeEach(() => rspamd.faults.heal())
afterAll(() => rspamd.close())

const RAW = Buffer.from('Subject: Win money\r\n\r\nhello\r\n')
const ENVELOPE = {
  mailFrom: 'a@shop.example',
  recipient: 'b@mayfly.test',
  helo: 'mail.shop.example',
  clientAddress: '192.0.2.1',
}
const ask = (options = {}, envelope = {}) =>
  createSpamFilter({ url: rspamd.url, timeout: 5000, maxAtOnce: 2, ...options })(RAW, { ...ENVELOPE, ...envelope })

test('sends the message and its envelope, and returns the score', async () => {
  expect(await ask()).toEqual({
    score: 16.5,
    required: 15,
    action: 'reject',
    isSpam: true,
    rules: [
      { name: 'SPAMMY_SUBJECT', score: 12, description: 'The subject promises money' },
      { name: 'MISSING_DATE', score: 4.5, description: 'There is no date' },
    ],
  })
  expect(rspamd.calls.at(-1)).toMatchObject({
    method: 'POST',
    path: '/checkv2',
    headers: { from: 'a@shop.example', rcpt: 'b@mayfly.test', helo: 'mail.shop.example', ip: '192.0.2.1' },
    body: RAW.toString(),
  })
})

test('leaves out what a header cannot contain', async () => {
  await ask({}, { mailFrom: 'a\r\nx: y@shop.example', helo: 'ä.example', recipient: '' })
  const { headers } = rspamd.calls.at(-1)!
  expect([headers['from'], headers['helo'], headers['rcpt'], headers['x']]).toEqual(Array(4).fill(undefined))
})

test('says what happened if there is no score', async () => {
  rspamd.faults.fail(503)
  expect(await ask()).toEqual({ error: 'The spam filter answered with the status 503.' })
  rspamd.faults.fail(200, 1, 'nonsense')
  expect(await ask()).toEqual({ error: 'The answer of the spam filter cannot be understood.' })
  rspamd.faults.fail(200, 1, '{"score":"1"}')
  expect(await ask()).toEqual({ error: 'The answer of the spam filter cannot be understood.' })
  rspamd.faults.fail(200, 1, ' '.repeat(2 * 1024 * 1024))
  expect(await ask()).toEqual({ error: 'The answer of the spam filter cannot be understood.' })
  rspamd.faults.hang(1)
  expect(await ask({ timeout: 100 })).toEqual({ error: 'The spam filter took more than 0.1 s.' })
  expect(await ask({ url: 'http://127.0.0.1:1' })).toEqual({ error: 'The spam filter cannot be reached.' })
})

test('asks for few messages at once', async () => {
  const filter = createSpamFilter({ url: rspamd.url, timeout: 5000, maxAtOnce: 1 })
  const [first, second] = await Promise.all([filter(RAW, ENVELOPE), filter(RAW, ENVELOPE)])
  expect(first).toMatchObject({ score: 16.5 })
  expect(second).toEqual({ error: 'Too many messages are being checked for spam. Try again.' })
  expect(await filter(RAW, ENVELOPE)).toMatchObject({ score: 16.5 })
})
