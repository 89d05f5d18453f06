import { createHash, createSign, randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { authenticate, createSeal, type DNSResolver, dkimSign } from 'mailauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import type { Envelope } from '#core/mailbox/message.ts'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { dkimRecord, newDkimKey } from '../forwarding/dkim-key.ts'
import { forwardFields } from '../forwarding/fields.ts'
import { withoutReturnPath } from '../forwarding/header-section.ts'
import { createForwardingMarks } from '../forwarding/mark.ts'
import { createReader } from './reader.ts'

const SERVICE = 'mayfly.example'
const SENDER = 'good.example'
const HOP = 'list.example'
const CLIENT = '192.0.2.10'
const RELAY = '198.51.100.7'
const RETURN_PATH = 'SRS0=abcdefghijklmnop=ab=01ktjpq5g0a1b2c3d4e5f6g7h8@mayfly.example'

let names: DnsServer
let reader: MailReader
let resolver: DNSResolver
let serviceKey: string
let senderKey: string
beforeAll(async () => {
  ;[serviceKey, senderKey] = await Promise.all([newDkimKey(), newDkimKey()])
  names = await startDnsServer({
    [`${SENDER} TXT`]: [`v=spf1 ip4:${CLIENT} -all`],
    [`s1._domainkey.${SENDER} TXT`]: [dkimRecord(senderKey)],
    [`_dmarc.${SENDER} TXT`]: ['v=DMARC1; p=reject'],
    [`s1._domainkey.${HOP} TXT`]: [dkimRecord(senderKey)],
    [`${SERVICE} TXT`]: [`v=spf1 ip4:${RELAY} -all`],
    [`mayfly._domainkey.${SERVICE} TXT`]: [dkimRecord(serviceKey)],
    [`_dmarc.${SERVICE} TXT`]: ['v=DMARC1; p=reject'],
    's1._domainkey.down.example TXT': 'servfail',
    '_dmarc.down.example TXT': ['v=DMARC1; p=reject'],
    's1._domainkey.silent.example TXT': 'silence',
  })
  reader = createReader({ dnsServers: [names.address], authenticationTimeout: 2000 })
  const dns = new Resolver({ timeout: 1000, tries: 1 })
  dns.setServers([names.address])
  resolver = ((name: string, type: string) => dns.resolve(name, type)) as unknown as DNSResolver
})
afterAll(async () => {
  await reader.close()
  names.close()
})

const envelope: Envelope = {
  mailFrom: `bounce@${SENDER}`,
  recipient: 'me@mayfly.example',
  helo: 'mx.good.example',
  clientAddress: CLIENT,
  tls: true,
  receivedAt: 0,
}
const TRACE =
  'Return-Path: <bounce@good.example>\r\nReceived: from mx.good.example ([192.0.2.10])\r\n\tby mayfly.example;\r\n Sat, 21 Nov 2026 05:00:00 +0000\r\n'
const message = (fields = '', domain = SENDER): string =>
  `From: Shop <shop@${domain}>\r\nTo: me@mayfly.example\r\nSubject: Welcome\r\nDate: Sat, 21 Nov 2026 05:00:00 +0000\r\nMessage-ID: <1@${domain}>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n${fields}\r\nYour code is 482913\r\n`

async function signed(mail: string, domain = SENDER): Promise<string> {
  const key = { signingDomain: domain, selector: 's1', privateKey: senderKey }
  const { signatures } = await dkimSign(mail, { ...key, signatureData: [key] })
  return signatures + mail
}

/** Signs a missing List-Unsubscribe field, as Exim does, so that it cannot be added. */
function signedWithoutList(mail: string): string {
  const body = createHash('sha256')
    .update(mail.slice(mail.indexOf('\r\n\r\n') + 4))
    .digest('base64')
  const field = `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${SENDER}; s=s1; h=From: Subject:\r\n List-Unsubscribe; bh=${body}; b=`
  const covered = `from:Shop <shop@${SENDER}>\r\nsubject:Welcome\r\ndkim-signature:${field.replace('\r\n ', ' ')}`
  return `DKIM-Signature: ${field}${createSign('sha256').update(covered).sign(senderKey, 'base64')}\r\n${mail}`
}

/** Seals a message like an earlier forwarder that changes nothing. */
async function sealed(mail: string, cv: 'none' | 'pass' | 'fail', domain = HOP): Promise<string> {
  const authResults = `${domain};\r\n dkim=pass header.d=${SENDER}; dmarc=pass header.from=${SENDER}`
  const { headers } = await createSeal(Buffer.from(mail), {
    seal: { signingDomain: domain, selector: 's1', privateKey: senderKey, cv, authResults },
  })
  return `${headers.join('\r\n')}\r\n${mail}`
}

const marks = createForwardingMarks(randomBytes(32))
const facts = {
  mark: marks.mark('01ktjpq5g0a1b2c3d4e5f6g7h8'),
  destination: 'zoë@real.example',
  address: 'me@mayfly.example',
  stopUrl: `https://mayfly.example/en/forwarded?stop=${marks.stopToken({ addressId: 'a'.repeat(22), destinationKey: 'd'.repeat(22) })}`,
}

/** Forwards a message. Returns its head, the results of its authentication and the bytes to send. */
async function forwarded(mail: string, from = envelope) {
  const stored = Buffer.from(TRACE + mail, 'latin1')
  const fields = forwardFields(facts, stored)
  const signing = { domain: SERVICE, selector: 'mayfly', privateKey: serviceKey }
  const { head, authentication } = await reader.forward(stored, from, { fields, signing })
  return { head: Buffer.from(head).toString(), authentication, sent: Buffer.concat([head, withoutReturnPath(stored)]) }
}

/** Authenticates a message as the server of the destination. */
async function authenticated(sent: Buffer) {
  const { spf, dkim, dmarc, arc } = await authenticate(sent, {
    ip: RELAY,
    helo: 'relay.example',
    sender: RETURN_PATH,
    mta: 'mx.real.example',
    resolver,
    disableBimi: true,
    strict: true,
  })
  return {
    spf: spf ? `${spf.status.result} ${spf.domain}` : 'none',
    dkim: dkim.results.map(({ signingDomain, status }) => `${status.result} ${signingDomain}`),
    dmarc: dmarc ? dmarc.status.result : 'none',
    arc: arc ? arc.status.result : 'none',
    hops: arc && arc.i,
  }
}

const all = { spf: `pass ${SERVICE}`, dmarc: 'pass', arc: 'pass' }
const both = [`pass ${SERVICE}`, `pass ${SENDER}`]

describe('a forwarded message', () => {
  test('passes all checks at its destination, with the signatures of its author and of Mayfly', async () => {
    const mail = await signed(message())
    const { authentication, head, sent } = await forwarded(mail)
    expect(authentication).toEqual({ spf: 'pass', dkim: 'pass', dmarc: 'pass' })
    expect(await authenticated(sent)).toEqual({ ...all, dkim: both, hops: 1 })
    expect(head.match(/^[\w-]+(?=:)/gm)).toEqual([
      'ARC-Seal',
      'ARC-Message-Signature',
      'ARC-Authentication-Results',
      'DKIM-Signature',
      'Authentication-Results',
      'X-Mayfly-Forwarded',
      'X-Forwarded-To',
      'X-Forwarded-For',
      'X-Mayfly-Stop',
      'List-Unsubscribe',
      'List-Unsubscribe-Post',
    ])
    expect(head).toMatch(/^Authentication-Results: mayfly\.example;\r\n [^\0]*spf=pass[^\0]*dmarc=pass/m)
    expect(sent.subarray(Buffer.byteLength(head)).equals(withoutReturnPath(Buffer.from(TRACE + mail)))).toBe(true)
    expect(sent.includes('Return-Path')).toBe(false)
    for (const line of head.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998)
    expect(head).not.toMatch(/(?<!\r)\n|\r(?!\n)|\r\n\r\n/)
  })

  test('has a signature that covers the fields of RFC 8058 and of forwarding', async () => {
    const { head } = await forwarded(await signed(message('Reply-To: help@good.example\r\n')))
    const list = /^DKIM-Signature:[^]*?[; ]h=([^;]*);/m
      .exec(head)?.[1]
      ?.toLowerCase()
      .split(/\s*:\s*/)
    const required =
      'from to subject date message-id reply-to mime-version content-type list-unsubscribe list-unsubscribe-post x-mayfly-forwarded x-mayfly-stop x-forwarded-to x-forwarded-for'
    expect(list).toEqual(expect.arrayContaining(required.split(' ')))
  })

  test.each([
    ['body', 'code is 482913', 'code is 482914'],
    ['subject', 'Subject: Welcome', 'Subject: Welcume'],
  ])('fails after a change in the %s', async (_what, from, to) => {
    const { sent } = await forwarded(await signed(message()))
    const { dkim, dmarc, arc } = await authenticated(Buffer.from(sent.toString('latin1').replace(from, to), 'latin1'))
    expect({ dkim, dmarc, arc }).toEqual({ dkim: [`fail ${SERVICE}`, `fail ${SENDER}`], dmarc: 'fail', arc: 'fail' })
  })

  test('passes only with the signature of its author after a change of the stop link', async () => {
    const { sent } = await forwarded(await signed(message()))
    const other = Buffer.from(sent.toString('latin1').replaceAll('stop=', 'stip='), 'latin1')
    expect(await authenticated(other)).toMatchObject({ dkim: [`fail ${SERVICE}`, `pass ${SENDER}`], arc: 'fail' })
  })

  test('fails SPF if it is sent from another IP address', async () => {
    names.zone[`${SERVICE} TXT`] = ['v=spf1 ip4:203.0.113.1 -all']
    const { sent } = await forwarded(await signed(message()))
    expect((await authenticated(sent)).spf).toBe(`fail ${SERVICE}`)
    names.zone[`${SERVICE} TXT`] = [`v=spf1 ip4:${RELAY} -all`]
  })

  test("has Mayfly's signature if it had none", async () => {
    const { authentication, sent } = await forwarded(message())
    expect(authentication).toEqual({ spf: 'pass', dkim: 'none', dmarc: 'pass' })
    expect(await authenticated(sent)).toEqual({ ...all, dmarc: 'fail', dkim: [`pass ${SERVICE}`], hops: 1 })
  })

  test.each([
    ['a field', () => signed(message('List-Unsubscribe: <mailto:leave@good.example>\r\n'))],
    ['a field in another form', () => signed(message('list-unsubscribe :\r\n\t<https://good.example/leave>\r\n'))],
    ['a signature', () => signedWithoutList(message())],
  ])('gets no List-Unsubscribe if the message prevents it by %s', async (_by, mail) => {
    const { head, sent } = await forwarded(await mail())
    expect(head).not.toMatch(/^list-unsubscribe/im)
    expect(head).toContain('X-Mayfly-Stop:')
    expect((await authenticated(sent)).dkim).toEqual(both)
  })

  test('keeps bytes over 127 and bare line feeds unchanged', async () => {
    const mail = await signed(`Subject: caf\xe9\r\nX-Odd:\tb\n${message()}`)
    const { sent } = await forwarded(mail)
    expect((await authenticated(sent)).dkim[0]).toBe(`pass ${SERVICE}`)
    expect(sent.toString('latin1').endsWith(mail)).toBe(true)
  })
})

describe('an ARC chain', () => {
  test.each([1, 2])('of %d is continued', async (hops) => {
    let mail = await signed(message())
    for (let i = 0; i < hops; i++) mail = await sealed(mail, i === 0 ? 'none' : 'pass')
    const { head, sent } = await forwarded(mail)
    expect(head).toMatch(new RegExp(`^ARC-Seal: i=${hops + 1};[^]*? cv=pass;`))
    expect(await authenticated(sent)).toEqual({ ...all, dkim: both, hops: hops + 1 })
    const broken = Buffer.from(
      sent.toString('latin1').replace('dmarc=pass header.from', 'dmarc=fail header.from'),
      'latin1',
    )
    expect((await authenticated(broken)).arc).toBe('fail')
  })

  test('that was broken on the way is marked as failed once', async () => {
    const mail = (await sealed(await sealed(message(), 'none'), 'pass')).replace('482913', '999999')
    const first = await forwarded(await signed(mail))
    expect(first.head).toMatch(/^ARC-Seal: i=3;[^]*? cv=fail;/)
    expect(await authenticated(first.sent)).toEqual({ ...all, dkim: both, arc: 'fail', hops: expect.anything() })
    const again = await forwarded(first.sent.toString('latin1'))
    expect(again.head).toMatch(/^DKIM-Signature:/)
    expect((await authenticated(again.sent)).arc).toBe('fail')
  })

  test('that is already marked as failed is left unchanged', async () => {
    const { head, sent } = await forwarded(await signed(await sealed(await sealed(message(), 'none'), 'fail')))
    expect(head).toMatch(/^DKIM-Signature:/)
    expect((await authenticated(sent)).dkim).toEqual(both)
  })

  test.each([
    ['lacks a field', (mail: string) => mail.replace(/^ARC-Message-Signature:[^]*?(?=ARC-Auth)/m, '')],
    ['has a field twice', (mail: string) => mail.replace(/^ARC-Seal:[^]*?(?=ARC-Message)/, '$&$&')],
    ['does not begin with 1', (mail: string) => mail.replaceAll('i=1;', 'i=7;')],
  ])('that %s is marked as failed', async (_what, spoil) => {
    const { head, sent } = await forwarded(await signed(spoil(await sealed(message(), 'none'))))
    expect(head).toMatch(/^ARC-Seal: i=[28];[^]*? cv=fail;/)
    expect((await authenticated(sent)).arc).toBe('fail')
  })

  test('whose key could not be looked up is neither marked as failed nor continued', async () => {
    const { authentication, head, sent } = await forwarded(
      await signed(await sealed(message(), 'none', 'down.example')),
    )
    expect(authentication.dmarc).toBe('pass')
    expect(head).toMatch(/^DKIM-Signature:/)
    expect((await authenticated(sent)).dkim).toEqual(both)
  })
})

describe('a message that must not be forwarded', () => {
  test('fails DMARC if SPF and DKIM fail', async () => {
    const { authentication } = await forwarded(message(), { ...envelope, clientAddress: '192.0.2.99' })
    expect(authentication).toEqual({ spf: 'fail', dkim: 'none', dmarc: 'fail' })
  })

  test('is undecided if a name server is down or does not respond', async () => {
    const down = await forwarded(await signed(message('', 'down.example'), 'down.example'))
    expect(down.authentication).toMatchObject({ dkim: 'temperror', dmarc: 'temperror' })
    const silent = await forwarded(await signed(message('', 'silent.example'), 'silent.example'))
    expect(silent.authentication).toEqual({ spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' })
  })

  test.each([
    ['no From', 'Subject: x\r\n\r\nbody\r\n'],
    ['two From fields', `From: <a@plain.example>\r\n${message()}`],
    ['authors of two domains', message().replace('From: Shop', 'From: <a@plain.example>, Shop')],
    ['an empty From', 'From:\r\nSubject: x\r\n\r\nbody\r\n'],
    ['nothing', ''],
    [
      'signatures without end',
      'DKIM-Signature: v=1; a=rsa-sha256; d=flood.example; s=s; h=from; bh=x; b=x\r\n'.repeat(21) + message(),
    ],
    ['a field without end', `X: a\r\n${' b\r\n'.repeat(300_000)}${message()}`],
    ['a million fields', `${'a:\r\n'.repeat(300_000)}${message()}`],
  ])('fails DMARC with %s', async (_what, mail) => {
    const { authentication, head } = await forwarded(mail)
    expect({ dmarc: authentication.dmarc, head }).toEqual({ dmarc: 'fail', head: '' })
    expect(names.asked.filter((name) => name.includes('flood.example'))).toEqual([])
  })
})

test('forward rejects if the key cannot sign', async () => {
  const signing = { domain: SERVICE, selector: 'mayfly', privateKey: 'no key' }
  await expect(reader.forward(Buffer.from(message()), envelope, { fields: '', signing })).rejects.toThrow(
    'could not be signed',
  )
})
