import { describe, expect, test } from 'vitest'
import { checkSenders, envelope, message, signed, TIMEOUT } from '#test/support/fixtures/sender-checks.ts'

const { check, reader, asked } = checkSenders()

describe('DKIM and DMARC', () => {
  test('a signed message from a permitted IP address passes all checks', async () => {
    const result = await check(await signed(message('shop@good.example')), envelope('bounce@good.example'))
    expect(result).toEqual({ spf: 'pass', dkim: 'pass', dmarc: 'pass' })
  })

  test("Mayfly's trace headers do not break a signature", async () => {
    const trace =
      'Return-Path: <bounce@good.example>\r\nReceived: from x by mayfly.test;\r\n Sat, 21 Nov 2026 05:00:00 +0000\r\n'
    const mail = trace + (await signed(message('shop@good.example')))
    expect((await check(mail, envelope('bounce@good.example'))).dkim).toBe('pass')
  })

  test('a changed body fails DKIM, and DMARC unless SPF passes', async () => {
    const mail = (await signed(message('shop@good.example'))).replace('482913', '999999')
    const { dkim, dmarc } = await check(mail, envelope('bounce@good.example', '192.0.2.99'))
    expect({ dkim, dmarc }).toEqual({ dkim: 'fail', dmarc: 'fail' })
  })

  test('a changed header fails DKIM', async () => {
    const mail = (await signed(message('shop@good.example'))).replace('Subject: Welcome', 'Subject: Pay now')
    expect((await check(mail, envelope('bounce@good.example', '192.0.2.99'))).dkim).toBe('fail')
  })

  test('a forged From fails DMARC even if SPF passes', async () => {
    expect(await check(message('shop@good.example'), envelope('x@soft.example'))).toEqual({
      spf: 'pass',
      dkim: 'none',
      dmarc: 'fail',
    })
  })

  test.each([
    ['Bank:; evil@good.example', 'pass'],
    ['<>, evil@good.example', 'pass'],
    ['=?utf-8?q?ceo=40bank=2Eexample?=, <x@good.example>', 'pass'],
    ['"ceo@bank.example", <x@good.example>', 'none'],
    ['Bank: ceo@bank.example;, x@good.example', 'none'],
    ['ceo@bank.example, x@good.example', 'none'],
    ['=?utf-8?q?<ceo=40bank.example>?=, x@good.example', 'none'],
    ['=?utf-7?q?+ADw-ceo+AEA-bank.example+AD4-?=, x@good.example', 'none'],
    ['Bank:;', 'none'],
  ])('DMARC passes only for the author that is shown: From: %s', async (from, dmarc) => {
    const mail = await signed(message('x@good.example').replace('Shop <x@good.example>', from))
    const sent = envelope('ceo@bank.example')
    const { from: shown } = await reader().summarize(Buffer.from(mail), sent)
    expect({ ...(await check(mail, sent)), shown: shown.address.endsWith('@good.example') }).toMatchObject({
      dkim: 'pass',
      dmarc,
      shown: dmarc === 'pass',
    })
    expect(shown.name).not.toContain('@')
  })

  const parts = (count: number): string => '--b\r\n\r\nx\r\n'.repeat(count)
  const forged = (from: string, body: string, type = 'multipart/mixed'): Buffer =>
    Buffer.from(`${from}\r\nSubject: Hi\r\nContent-Type: ${type}; boundary=b\r\n\r\n${body}--b--\r\n`, 'latin1')
  const OF_TEXT = '--b\r\nContent-Type: text/plain; charset=shift_jis\r\n\r\nx\r\n'
  test.each([
    ['in the charset of the text', forged('From: "Bank \x81\\" <ceo@bank.example>, " <x@good.example>', OF_TEXT)],
    ['after a byte order mark', forged(`\xEF\xBB\xBFFrom: ceo@bank.example\r\nFrom: x@good.example`, parts(1))],
    [
      'after one, unreadable',
      forged(`A: 1\r\n\xEF\xBB\xBFFrom: ceo@bank.example\r\nFrom: x@good.example`, parts(1100)),
    ],
    [
      'after a space, unreadable',
      forged(`A: 1\r\n\xC2\xA0From: ceo@bank.example\r\nFrom: x@good.example`, parts(1100)),
    ],
    [
      'with an escape sequence that decoders read differently, unreadable',
      forged(`From: =?iso-2022-jp?B?${btoa('\x1B$(D "CEO" <ceo@bank.example> )')}?=, <x@good.example>`, parts(1100)),
    ],
    ['unreadable', forged('From: x@good.example', parts(1100))],
  ])('DMARC passes only for the author that is shown: %s', async (_, mail) => {
    const sent = envelope('x@good.example')
    const { from } = await reader().summarize(mail, sent)
    const { spf, dmarc } = await reader().authenticate(mail, sent)
    expect([spf, dmarc]).toEqual(['pass', from.address === 'x@good.example' ? 'pass' : 'none'])
  })

  test('a signature without a published key does not pass', async () => {
    const mail = await signed(message('shop@good.example'), 'good.example', 'other')
    expect((await check(mail, envelope('x@nowhere.example'))).dkim).not.toBe('pass')
  })

  test('one valid signature among invalid ones passes', async () => {
    const mail = await signed(await signed(message('shop@good.example')), 'good.example', 'other')
    expect((await check(mail, envelope('bounce@good.example'))).dkim).toBe('pass')
  })

  test('a message without records and signatures has the result none', async () => {
    expect(await check(message('a@plain.example'), envelope('a@plain.example'))).toEqual({
      spf: 'none',
      dkim: 'none',
      dmarc: 'none',
    })
  })

  test.each([
    ['is no list of tags', 'hello'],
    ['has no selector', 'v=1; a=rsa-sha256; d=plain.example; h=from; bh=x; b=x'],
    ['has no algorithm', 'v=1; d=plain.example; s=s; h=from; bh=x; b=x'],
  ])('a signature that %s is neutral', async (_name, signature) => {
    const mail = `DKIM-Signature: ${signature}\r\n${message('a@plain.example')}`
    expect((await check(mail, envelope('a@plain.example'))).dkim).toBe('neutral')
  })

  test('a message with a thousand signatures is not checked', async () => {
    const many = 'DKIM-Signature: v=1; a=rsa-sha256; d=flood.example; s=s; l=1; h=from; bh=x; b=x\r\n'.repeat(1000)
    expect((await check(many + message('a@plain.example'), envelope('a@plain.example'))).dkim).toBe('policy')
    expect(asked().filter((name) => name.includes('flood.example'))).toEqual([])
  })
})

describe('SPF', () => {
  test.each([
    ['bounce@good.example', '192.0.2.10', 'pass'],
    ['bounce@good.example', '192.0.2.99', 'fail'],
    ['x@soft.example', '192.0.2.99', 'softfail'],
    ['x@neutral.example', '192.0.2.99', 'neutral'],
    ['x@broken.example', '192.0.2.99', 'permerror'],
    ['x@loop.example', '192.0.2.99', 'permerror'],
    ['x@nowhere.example', '192.0.2.99', 'none'],
    ['x@down.example', '192.0.2.99', 'temperror'],
    ['', '192.0.2.10', 'pass'],
    ['', '192.0.2.99', 'fail'],
  ])('for <%s> from %s is %s', async (mailFrom, clientAddress, spf) => {
    expect((await check(message('a@plain.example'), envelope(mailFrom, clientAddress))).spf).toBe(spf)
  })
})

describe('name servers of the author that do not respond', () => {
  test('leave a message unchecked, also one without a signature', async () =>
    expect(await check(message('a@silent.example'), envelope('x@silent.example'))).toEqual({
      spf: 'temperror',
      dkim: 'temperror',
      dmarc: 'temperror',
    }))
})

describe('name servers that do not respond', () => {
  test('delay a message up to the timeout only, and no other message', async () => {
    // The thread of first looks starts with its first job.
    await reader().summarize(Buffer.from(message('a@plain.example')), envelope(''))
    const started = performance.now()
    let ended = false
    const slow = check(message('a@plain.example'), envelope('x@silent.example')).finally(() => (ended = true))
    const fast = await check(message('a@plain.example'), envelope('x@soft.example', '192.0.2.99'))
    expect(fast.spf).toBe('softfail')
    const summary = await reader().summarize(Buffer.from(message('a@plain.example')), envelope(''))
    expect(summary.subject).toBe('Welcome')
    expect(ended).toBe(false)
    expect((await slow).spf).toBe('temperror')
    expect(performance.now() - started).toBeLessThan(2 * TIMEOUT)
  })
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['NUL bytes', Buffer.alloc(100_000)],
  ['no line ends', Buffer.alloc(1_000_000, 'a')],
  ['a From without end', Buffer.from(`From: ${'<a@b,'.repeat(50_000)}\r\n\r\n`)],
  [
    'a From of many',
    Buffer.from(`From: ${Array.from({ length: 2000 }, (_, i) => `a@d${i}.example`).join(', ')}\r\n\r\n`),
  ],
  ['a signature without end', Buffer.from(`DKIM-Signature: ${'a=b;'.repeat(100_000)}\r\nFrom: a@b.example\r\n\r\n`)],
  [
    'white space for relaxed canonicalization',
    Buffer.from(
      `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=good.example; s=s1; h=from; bh=x; b=x\r\nFrom: a@good.example\r\nX: ${' '.repeat(200_000)}\r\n\r\n${' \t'.repeat(500_000)}\r\n${'\r\n'.repeat(100_000)}x`,
    ),
  ],
])('a hostile message gets a result in time: %s', async (_name, raw) => {
  const started = performance.now()
  const result = await reader().authenticate(raw, envelope('bounce@good.example'))
  expect(Object.keys(result)).toEqual(['spf', 'dkim', 'dmarc'])
  expect(performance.now() - started).toBeLessThan(4 * TIMEOUT)
})
