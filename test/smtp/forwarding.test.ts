import { Resolver } from 'node:dns/promises'
import { authenticate, type DNSResolver } from 'mailauth'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { dkimRecord, newDkimKey } from '#mail/forwarding/dkim-key.ts'
import { RawClient } from '#smtp/testing.ts'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import {
  dkimRecordOf,
  forwardedTo,
  FORWARDINGS,
  forwardingAddress,
  forwardingEnv,
  outcomesOf,
  settledAt,
} from '#test/support/fixtures/forwarding-program.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { type Relay, type RelayedMail, startRelay } from '#test/support/mail/relay.ts'
import { bounceTo, complaintTo } from '#test/support/mail/reports.ts'
import type { ApiClient } from '#test/support/program/api.ts'
import { operatorOf } from '#test/support/program/operator.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

let dns: DnsServer
let relay: Relay
let program: Program
let senderKey: string
let destinations = 0
const newDestination = () => `reader-${++destinations}@real.example`

beforeAll(async () => {
  senderKey = await newDkimKey()
  dns = await startDnsServer({
    'harbour.example TXT': ['v=spf1 ip4:127.0.0.1 -all'],
    's1._domainkey.harbour.example TXT': [dkimRecord(senderKey)],
    '_dmarc.harbour.example TXT': ['v=DMARC1; p=reject; adkim=s; aspf=s'],
    'mayfly.test TXT': ['v=spf1 ip4:127.0.0.2 -all'],
    '_dmarc.mayfly.test TXT': ['v=DMARC1; p=reject; adkim=s; aspf=s'],
  })
  relay = await startRelay({ tls: true })
  program = await startProgram({
    env: {
      ...WITHOUT_LIMITS,
      ...forwardingEnv(relay, dns.address),
      MAYFLY_OUTBOUND_URL: `${relay.url}?tls.rejectUnauthorized=false`,
    },
  })
})
afterAll(async () => {
  await program.stop()
  await relay.close()
  dns.close()
})
beforeEach(() => {
  relay.behave = () => 'accept'
})

/** Returns what a receiving server finds in a message from the relay, which sends from 127.0.0.2. */
async function judged({ from, raw }: RelayedMail) {
  dns.zone['mayfly._domainkey.mayfly.test TXT'] = [dkimRecordOf(program)]
  const resolver = new Resolver()
  resolver.setServers([dns.address])
  const resolve = ((name: string, type: string) => resolver.resolve(name, type)) as unknown as DNSResolver
  const { spf, dkim, dmarc, arc } = await authenticate(raw, {
    ip: '127.0.0.2',
    helo: 'relay.example',
    sender: from,
    mta: 'mx.real.example',
    resolver: resolve,
  })
  const signatures = dkim.results.map(({ signingDomain, status }) => `${signingDomain} ${status.result}`)
  return {
    spf: spf && `${spf.domain} ${spf.status.result}`,
    dkim: signatures,
    dmarc: dmarc && `${dmarc.domain} ${dmarc.status.result}`,
    arc: arc && arc.status.result,
  }
}

const dkim = {
  domainName: 'harbour.example',
  keySelector: 's1',
  get privateKey() {
    return senderKey
  },
}
const stateOf = async (client: ApiClient) => {
  const { state, end } = (await client.json(FORWARDINGS)).forwardings[0]
  return { state, end }
}

/** Forwards a message and returns what the relay received. */
async function forwarded(subject = 'Hello') {
  const destination = newDestination()
  const client = await forwardingAddress(program.url, relay, destination)
  await sendMail(program.smtpPort, { to: client.address, subject, text: 'Grüße\n.\n', dkim })
  await vi.waitFor(() => expect(forwardedTo(relay, destination)).toHaveLength(1), PATIENCE)
  await settledAt(client, 1)
  return { client, destination, mail: forwardedTo(relay, destination)[0]! }
}

test('forwarded messages pass SPF and DKIM of Mayfly, DKIM and DMARC of the sender, and ARC', async () => {
  const { client, destination, mail } = await forwarded()
  expect(mail).toMatchObject({
    from: expect.stringMatching(/^SRS0=.{46}@mayfly\.test$/),
    to: destination,
    secure: true,
  })
  expect(await judged(mail)).toEqual({
    spf: 'mayfly.test pass',
    dkim: ['mayfly.test pass', 'harbour.example pass'],
    dmarc: 'harbour.example pass',
    arc: 'pass',
  })
  const { messages } = await client.json('/api/v1/messages')
  const stored = Buffer.from(
    await (await client.get(`/api/v1/messages/${messages[0].id}/raw`)).arrayBuffer(),
  ).toString()
  expect(stored).toMatch(/^Return-Path: .*\r\n/)
  expect(mail.raw.toString().endsWith(stored.replace(/^Return-Path: .*\r\n/, ''))).toBe(true)
  expect((await client.json(`${FORWARDINGS}/log`)).entries).toMatchObject([
    { destination, outcome: 'sent', status: null, nextTryAt: null, message: { id: messages[0].id, subject: 'Hello' } },
  ])
})

test('signs its own emails for their From domain', async () => {
  const destination = newDestination()
  await forwardingAddress(program.url, relay, destination)
  const email = (await relay.mailsTo(destination))[0]!
  expect(email.from).toBe('noreply@mayfly.test')
  expect(await judged(email)).toMatchObject({ dkim: ['mayfly.test pass'], dmarc: 'mayfly.test pass' })
})

test('the link in a forwarded message ends the forwarding with one click of a mail program', async () => {
  const { client, mail } = await forwarded()
  const [, link = ''] = /^List-Unsubscribe:\s+<(.*)>\r$/m.exec(mail.raw.toString()) ?? []
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  expect((await fetch(link, { method: 'POST', body })).status).toBe(200)
  expect(await stateOf(client)).toEqual({ state: 'ended', end: 'declined' })
  await sendMail(program.smtpPort, { to: client.address, subject: 'More', text: 'x', dkim })
  expect(await outcomesOf(client)).toEqual(['sent'])
})

test('bounces return to the envelope sender and end the forwarding; they are not passed on and cannot be forged', async () => {
  const { client, destination } = await forwarded()
  for (let i = 2; i <= 3; i++) {
    await sendMail(program.smtpPort, { to: client.address, subject: String(i), text: 'x', dkim })
    await settledAt(client, i)
  }
  const paths = forwardedTo(relay, destination).map(({ from }) => from)
  expect(new Set(paths).size).toBe(3)
  const before = relay.received.length
  for (const path of paths.slice(0, 2)) {
    await sendMail(program.smtpPort, { envelope: { from: '', to: path.toLowerCase() }, raw: bounceTo(path) })
  }
  expect(await outcomesOf(client)).toEqual(['sent', 'refused', 'refused'])
  expect(await stateOf(client)).toMatchObject({ state: 'on' })

  const [last = ''] = paths.slice(-1)
  const forged = last.replace(/(=..=.*?)(.)@/, (_all, start, end) => `${start}${end === '0' ? '1' : '0'}@`)
  const smtp = await RawClient.connect(program.smtpPort)
  for (const line of ['EHLO mx.real.example', 'MAIL FROM:<>', `RCPT TO:<${client.address}>`]) {
    expect(await smtp.ask(line)).toMatch(/^250/)
  }
  expect(await smtp.ask(`RCPT TO:<${forged}>`)).toMatch(/^550 5\.1\.1/)
  // Both kinds in one transaction: the same return path twice counts once.
  for (const path of [last, last.toUpperCase()]) expect(await smtp.ask(`RCPT TO:<${path}>`)).toMatch(/^250/)
  expect(await smtp.ask('DATA')).toMatch(/^354/)
  expect(await smtp.ask(`${bounceTo(last)}.`)).toMatch(/^250/)
  smtp.close()
  expect(await stateOf(client)).toEqual({ state: 'ended', end: 'bounced' })
  const { messages } = await client.json('/api/v1/messages')
  expect(messages.map(({ subject }: { subject: string }) => subject)).toEqual(['Report', '3', '2', 'Hello'])
  expect(relay.received).toHaveLength(before)
})

test('a complaint ends the forwarding, and the operator can read it', async () => {
  const { client, mail } = await forwarded()
  await sendMail(program.smtpPort, {
    envelope: { from: 'fbl@provider.example', to: 'abuse@mayfly.test' },
    raw: complaintTo('abuse@mayfly.test', mail.raw.toString()),
  })
  expect(await stateOf(client)).toEqual({ state: 'ended', end: 'complained' })
  expect((await operatorOf(program).json('/api/v1/messages')).messages).toHaveLength(1)
})

test('a message that fails DMARC stays in the inbox', async () => {
  const destination = newDestination()
  const client = await forwardingAddress(program.url, relay, destination)
  const envelope = { from: 'x@elsewhere.example', to: client.address }
  await sendMail(program.smtpPort, { to: client.address, envelope, subject: 'Forged', text: 'x' })
  await settledAt(client, 1)
  expect(await outcomesOf(client)).toEqual(['dmarc'])
  expect(forwardedTo(relay, destination)).toEqual([])
})

test('log and metrics count forwarded messages and contain no addresses', async () => {
  const render = async () => (await fetch(program.metricsUrl)).text()
  // Counted every two seconds.
  await expect.poll(render).toMatch(/^mayfly_forwards_waiting 0$/m)
  const metrics = await render()
  expect(metrics).toMatch(/^mayfly_forwards_total\{outcome="sent"\} [1-9]/m)
  expect(metrics).toMatch(/^mayfly_forwarding_reports_total\{kind="bounce"\} 3$/m)
  expect(metrics).toMatch(/^mayfly_forwardings_ended_total\{end="complained"\} 1$/m)
  for (const text of [metrics, program.stderr.join('\n')]) expect(text).not.toMatch(/reader-|@real|SRS0|harbour/i)
})
