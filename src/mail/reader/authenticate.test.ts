import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import type { Envelope } from '#core/mailbox/message.ts'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { createReader } from './reader.ts'

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const dkimKey = `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}`

/** The thread is killed after twice this time. */
const TIMEOUT = 2500

let names: DnsServer
let reader: MailReader
beforeAll(async () => {
  names = await startDnsServer({
    'good.example TXT': ['v=spf1 ip4:192.0.2.10 -all'],
    's1._domainkey.good.example TXT': [dkimKey],
    '_dmarc.good.example TXT': ['v=DMARC1; p=reject'],
    'soft.example TXT': ['v=spf1 ip4:192.0.2.10 ~all'],
    'neutral.example TXT': ['v=spf1 ?all'],
    'broken.example TXT': ['v=spf1 nonsense:x -all'],
    'loop.example TXT': ['v=spf1 include:loop.example -all'],
    'down.example TXT': 'servfail',
    'silent.example TXT': 'silence',
    'child.good.example TXT': 'servfail',
    's1._domainkey.child.good.example TXT': 'servfail',
    's1._domainkey.down.example TXT': 'servfail',
    's1._domainkey.notgood.example TXT': 'servfail',
    '_dmarc.down.example TXT': 'servfail',
    ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`s${i}._domainkey.silent.example TXT`, 'silence'])),
    'helo.example TXT': ['v=spf1 ip4:192.0.2.10 -all'],
    'hosted.example TXT': ['v=spf1 include:_spf.hoster.test -all'],
    '_spf.hoster.test TXT': ['v=spf1 ip4:192.0.2.10 -all'],
    '_dmarc.hosted.example TXT': ['v=DMARC1; p=reject'],
    'xn--bcher-kva.example TXT': ['v=spf1 ip4:192.0.2.10 -all'],
    '_dmarc.xn--bcher-kva.example TXT': ['v=DMARC1; p=reject'],
    'k._domainkey.evil.example TXT': [dkimKey],
    'slow.example TXT': ['v=spf1 include:silent.example -all'],
    '_dmarc.silent.example TXT': 'silence',
    '_dmarc._domainkey.silent.example TXT': 'silence',
  })
  reader = createReader({ dnsServers: [names.address], authenticationTimeout: TIMEOUT })
})
afterAll(async () => {
  await reader.close()
  names.close()
})

const envelope = (mailFrom: string, clientAddress = '192.0.2.10'): Envelope => ({
  mailFrom,
  recipient: 'me@mayfly.test',
  helo: 'helo.example',
  clientAddress,
  tls: true,
  receivedAt: 0,
})
const message = (from: string, body = 'Your code is 482913'): string =>
  `From: Shop <${from}>\r\nTo: me@mayfly.test\r\nSubject: Welcome\r\nDate: Sat, 21 Nov 2026 05:00:00 +0000\r\nMessage-ID: <1@${from.split('@')[1]}>\r\n\r\n${body}\r\n`

async function signed(mail: string, signingDomain = 'good.example', selector = 's1'): Promise<string> {
  const signature = { signingDomain, selector, privateKey: keys.privateKey }
  const { signatures } = await dkimSign(mail, { ...signature, signatureData: [signature] })
  return signatures + mail
}
const check = (mail: string, from: Envelope) => reader.authenticate(Buffer.from(mail), from)

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
    const { from: shown } = await reader.summarize(Buffer.from(mail), sent)
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
    const { from } = await reader.summarize(mail, sent)
    const { spf, dmarc } = await reader.authenticate(mail, sent)
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
    expect(names.asked.filter((name) => name.includes('flood.example'))).toEqual([])
  })
})

describe('a forged message fails DMARC', () => {
  const OTHER = '192.0.2.99'
  const forgery = message('ceo@good.example')

  test.each([
    ['too many signatures', 'DKIM-Signature: v=1\r\n'.repeat(21) + forgery],
    ['a long run of spaces', `X: a${' '.repeat(1001)}b\r\n${forgery}`],
    ['a long run of spaces in From', forgery.replace('From: Shop', `From: Shop${' '.repeat(1001)}`)],
    ['too many lines', `X: a\r\n${' b\r\n'.repeat(10_001)}${forgery}`],
    ['a long field', `Received: ${'x '.repeat(5000)}\r\n${forgery}`],
  ])('with %s', async (_, mail) => {
    const { dkim, dmarc } = await check(mail, envelope('x@soft.example'))
    expect([dkim, dmarc]).toEqual(['policy', 'fail'])
  })

  test('that is too expensive never passes', async () => {
    const mail = 'DKIM-Signature: v=1\r\n'.repeat(21) + forgery
    expect(await check(mail, envelope('x@good.example'))).toEqual({ spf: 'pass', dkim: 'policy', dmarc: 'policy' })
  })

  test.each([
    ['of SPF', [], 'x@down.example'],
    ['of a signature', [['down.example', 's1']], 'x@soft.example'],
    ['of both', [['down.example', 's1']], 'x@down.example'],
    ['of a domain that only ends like that of the author', [['notgood.example', 's1']], 'x@soft.example'],
  ])('if other name servers fail: %s', async (_, signatures, mailFrom) => {
    let mail = forgery
    for (const [domain, selector] of signatures) mail = await signed(mail, domain, selector)
    expect((await check(mail, envelope(mailFrom, OTHER))).dmarc).toBe('fail')
  })

  const silent = async (mail: string): Promise<string> => {
    for (let i = 0; i < 6; i++) mail = await signed(mail, 'silent.example', `s${i}`)
    return mail
  }
  const from = (author: string) => forgery.replace('Shop <ceo@good.example>', author)
  test.each<[string, string, string, (mail: string) => string | Promise<string>]>([
    ['of signatures', 'ceo@good.example', 'x@silent.example', silent],
    ['and SPF is that of the author', 'ceo@good.example', 'ceo@good.example', silent],
    ['and SPF of the author includes that of a hoster', 'ceo@hosted.example', 'ceo@hosted.example', silent],
    ['and a comment of the author names them', 'CEO (@silent.example) <ceo@good.example>', 'x@soft.example', silent],
    ['and the name of the author has them', '"CEO @silent.example" <ceo@good.example>', 'x@soft.example', silent],
    ['and the author has no record', 'ceo@mail.good.example', 'x@soft.example', silent],
    ['and the author has a space', '<ceo@ good.example>', 'x@soft.example', silent],
    ['and the author is not in ASCII', '<ceo@bücher.example>', 'x@soft.example', silent],
    ['of what SPF includes', 'ceo@good.example', 'x@slow.example', (mail) => mail],
    ['of SPF for a name of a policy', 'ceo@good.example', 'x@_dmarc.silent.example', silent],
    [
      'of a key that has the name of a policy',
      'ceo@good.example',
      'x@soft.example',
      async (mail) => silent(await signed(mail, 'silent.example', '_dmarc')),
    ],
    [
      'and a key of the author is missing',
      'ceo@good.example',
      'x@soft.example',
      async (mail) => silent(await signed(mail, 'good.example', 'nokey')),
    ],
    [
      'before a missing key of the author',
      'ceo@good.example',
      'x@soft.example',
      async (mail) => signed(await silent(mail), 'good.example', 'nokey'),
    ],
    [
      'and a stranger has signed',
      'ceo@good.example',
      'x@soft.example',
      async (mail) => signed(await silent(mail), 'evil.example', 'k'),
    ],
    [
      'after a stranger has signed',
      'ceo@good.example',
      'x@soft.example',
      async (mail) => silent(await signed(mail, 'evil.example', 'k')),
    ],
  ])('if name servers are silent %s', async (_, author, mailFrom, sign) => {
    const mail = await sign(from(author))
    expect((await check(mail, envelope(mailFrom, OTHER))).dmarc).toBe('fail')
  })

  test.each([
    ['a comment', `CEO <ceo@good.example> (${'@a.b '.repeat(2000)})`],
    ['a name on many lines', `"${`CEO \r\n ${'x '.repeat(450)}`.repeat(80)}" <ceo@good.example>`],
  ])('whose From is longer than that of any honest message: %s', async (_, author) => {
    const mail = from(author)
    expect(await check(mail, envelope('x@soft.example'))).toEqual({ spf: 'pass', dkim: 'policy', dmarc: 'fail' })
  })

  test('but passes if the signature of its author is between silent ones', async () => {
    const mail = await silent(await signed(await silent(forgery)))
    expect(await check(mail, envelope('x@soft.example', OTHER))).toMatchObject({ dkim: 'pass', dmarc: 'pass' })
  })

  test('but is undecided if a name server of its author fails', async () => {
    expect((await check(forgery, envelope('x@child.good.example', OTHER))).dmarc).toBe('temperror')
    const mail = await signed(forgery, 'child.good.example')
    expect((await check(mail, envelope('x@soft.example'))).dmarc).toBe('temperror')
  })

  test('says that name servers responded if none of them could answer', async () => {
    const mail = await signed(message('a@down.example'), 'down.example')
    const unchecked = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' }
    expect(await check(mail, envelope('x@down.example', OTHER))).toEqual({ ...unchecked, answered: true })
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

describe('name servers that do not respond', () => {
  test('delay a message up to the timeout only, and no other message', async () => {
    // The thread of first looks starts with its first job.
    await reader.summarize(Buffer.from(message('a@plain.example')), envelope(''))
    const started = performance.now()
    let ended = false
    const slow = check(message('a@plain.example'), envelope('x@silent.example')).finally(() => (ended = true))
    const fast = await check(message('a@plain.example'), envelope('x@soft.example', '192.0.2.99'))
    expect(fast.spf).toBe('softfail')
    const summary = await reader.summarize(Buffer.from(message('a@plain.example')), envelope(''))
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
  const result = await reader.authenticate(raw, envelope('bounce@good.example'))
  expect(Object.keys(result)).toEqual(['spf', 'dkim', 'dmarc'])
  expect(performance.now() - started).toBeLessThan(4 * TIMEOUT)
})
