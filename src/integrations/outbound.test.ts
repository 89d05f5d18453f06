import { Resolver } from 'node:dns'
import { type AddressInfo, createServer } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test, vi } from 'vitest'
import { MailRefused, type Outbound } from '#core/email/email.ts'
import { type Behavior, startRelay, type Step } from '#test/support/mail/relay.ts'
import { connectionTo, createRelay } from './outbound.ts'

const MAIL = { name: 'ended-x', to: 'ann@example.com', raw: Buffer.from('Subject: Hello\r\n\r\n.One\r\nünïcode\r\n') }
const FROM = 'noreply@mayfly.example'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Received {
  from: string
  to: string[]
  raw: string
  secure: boolean
  user: string | undefined
  helo: string
}

/** Starts a real relay with the behavior in `options`. */
async function relay(options: SMTPServerOptions = {}, host = '127.0.0.1') {
  const received: Received[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onConnect(_session, callback) {
      connections++
      callback()
    },
    onAuth: ({ username, password }, _session, callback) =>
      password === 'right' ? callback(null, { user: username }) : callback(reply(535, 'No')),
    onData(stream, { envelope, secure, user, hostNameAppearsAs }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          secure,
          user: user as unknown as string | undefined,
          helo: String(hostNameAppearsAs),
        })
        callback()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(0, host, resolve))
  closing.push(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { port, received, connections: () => connections }
}

function outbound(
  port: number,
  { scheme = 'smtp', login = '', host = '127.0.0.1', query = '', timeout = 5000 } = {},
): Outbound {
  const created = createRelay({
    url: `${scheme}://${login}${host}:${port}${query}`,
    name: 'mx.mayfly.example',
    from: FROM,
    timeout,
    maxConnections: 2,
  })
  closing.unshift(() => created.close())
  return created
}

const reply = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })
const failure = async (sending: Promise<void>): Promise<Error> =>
  sending.then(
    () => new Error('It was accepted'),
    (error: Error) => error,
  )

test('sends an email unchanged over a reused connection', async () => {
  const { port, received, connections } = await relay()
  const { send } = outbound(port)
  for (let i = 0; i < 5; i++) await send(MAIL)
  expect(received).toHaveLength(5)
  expect(received[0]).toMatchObject({ from: FROM, to: [MAIL.to], raw: MAIL.raw.toString(), helo: 'mx.mayfly.example' })
  expect(connections()).toBe(1)
})

test.each<[string, SMTPServerOptions, boolean]>([
  [
    'the recipient permanently',
    { onRcptTo: (_address, _session, callback) => callback(reply(550, 'ann@example.com? No')) },
    true,
  ],
  [
    'the recipient temporarily',
    { onRcptTo: (_address, _session, callback) => callback(reply(450, 'Greylisted')) },
    false,
  ],
  [
    'the sender, which the operator can correct',
    { onMailFrom: (_address, _session, callback) => callback(reply(550, 'Who?')) },
    false,
  ],
  [
    'every client, which the operator can correct',
    { onConnect: (_session, callback) => callback(reply(554, 'Go away')) },
    false,
  ],
  [
    'the content permanently',
    { onData: (stream, _session, callback) => void stream.resume().on('end', () => callback(reply(554, 'Spam'))) },
    true,
  ],
  [
    'the content temporarily',
    { onData: (stream, _session, callback) => void stream.resume().on('end', () => callback(reply(451, 'Later'))) },
    false,
  ],
])('handles a relay that rejects %s', async (_what, options, final) => {
  const { port } = await relay(options)
  const error = await failure(outbound(port).send(MAIL))
  expect(error instanceof MailRefused).toBe(final)
  expect(error.message).not.toBe('It was accepted')
})

test('rejects temporarily if the relay is unreachable or drops the connection', async () => {
  const { port } = await relay({
    onData(stream, { id }) {
      const { connections } = this as unknown as { connections: Set<{ id: string; close(): void }> }
      stream.once('data', () => connections.forEach((each) => each.id === id && each.close()))
    },
  })
  expect(await failure(outbound(port).send(MAIL))).toMatchObject({ code: 'ECONNECTION' })
  expect(await failure(outbound(1).send(MAIL))).toMatchObject({ code: 'ESOCKET' })
})

test('rejects within the timeout if the relay is silent or never finishes', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  closing.push(() => silent.close())
  const slow = await relay({ onData: (stream) => void stream.resume() })
  for (const port of [(silent.address() as AddressInfo).port, slow.port]) {
    const started = performance.now()
    expect(await failure(outbound(port, { timeout: 300 }).send(MAIL))).not.toBeInstanceOf(MailRefused)
    expect(performance.now() - started).toBeLessThan(3000)
  }
})

const STEPS: readonly Step[] = ['connect', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'message']

test.each((['defer', 'refuse', 'drop', 'hang'] as const).flatMap((how) => STEPS.map((step) => [how, step] as const)))(
  'handles a relay that does "%s" at %s',
  async (how, step) => {
    const server = await startRelay()
    closing.push(() => server.close())
    server.behave = (at): Behavior => (at === step ? how : 'accept')
    const error = await failure(outbound(server.port, { timeout: how === 'hang' ? 200 : 5000 }).send(MAIL))
    const final = how === 'refuse' && ['RCPT', 'DATA', 'message'].includes(step)
    expect(error instanceof MailRefused).toBe(final)
    if (error instanceof MailRefused)
      expect(error.status).toBe({ RCPT: '5.1.1', DATA: '5.5.1', message: '5.7.1' }[step as 'RCPT'])
    expect(error.message).not.toBe('It was accepted')
    // An email that the relay had before it dropped the connection must not be sent again.
    expect(server.received).toHaveLength(how === 'drop' && step === 'message' ? 1 : 0)
  },
)

test('sends the reverse-path of the email, 8BITMIME and leading dots', async () => {
  const server = await startRelay()
  closing.push(() => server.close())
  const raw = Buffer.from('Subject: x\r\n\r\n.\r\n..two\r\nünïcode\r\n')
  await outbound(server.port).send({ ...MAIL, from: 'SRS0=x@mayfly.example', raw })
  expect(server.received).toMatchObject([{ from: 'SRS0=x@mayfly.example', to: MAIL.to, parameters: 'BODY=8BITMIME' }])
  expect(server.received[0]!.raw).toEqual(raw)
})

test('reports no status if the reply has no enhanced status code', async () => {
  const server = await startRelay()
  closing.push(() => server.close())
  server.behave = (step) => (step === 'RCPT' ? '550 no 5.1.1 here' : 'accept')
  const unknown = { name: 'MailRefused', status: null, isUnknown: true, isRecipient: true }
  expect(await failure(outbound(server.port).send(MAIL))).toMatchObject(unknown)
  server.behave = (step) => (step === 'RCPT' ? '552 too much' : 'accept')
  expect(await failure(outbound(server.port).send(MAIL))).toMatchObject({ ...unknown, isUnknown: false })
  server.behave = (step) => (step === 'message' ? '550 Mail content denied' : 'accept')
  const content = { isUnknown: false, isRecipient: false }
  expect(await failure(outbound(server.port).send(MAIL))).toMatchObject({ ...unknown, ...content })
})

test.each([
  ['550 relay not permitted', false],
  ['550 Relaying denied', false],
  ['550 we do not relay.', false],
  ['553 Sender verify failed', false],
  ['550 authentication required', false],
  ['550 Administrative prohibition', false],
  ['550 Access denied', false],
  ["553 sorry, that domain isn't in my list of allowed rcpthosts", false],
  ['550 192.0.2.1 is not permitted to send', false],
  ['550 <relay@real.example>: relaying denied', false],
  ['550 blocked, see https://help.example/', false],
  ['550 User unknown', true],
  ['550 No such user here', true],
  ['550 Mailbox disabled', true],
  ['550 Requested action not taken: mailbox unavailable', true],
  ['553 Requested action not taken: mailbox name not allowed', true],
  ['551 User not local', true],
  ['550 <relay@real.example>: User unknown', true],
  ['550 relay@blocked.example... User unknown', true],
  ['550 relay.sender.example: no mailbox real@sender.example', true],
  ['550 <sender>... No such user', true],
  ['550 No such user; see https://sender.example/blocked', true],
])('tells a refused mailbox from a refusal of the service by the text: %s', async (said, isUnknown) => {
  const server = await startRelay()
  closing.push(() => server.close())
  server.behave = (step) => (step === 'RCPT' ? said : 'accept')
  expect(await failure(outbound(server.port).send(MAIL))).toMatchObject({ status: null, isUnknown })
})

test('sends a password only over TLS', async () => {
  const plain = await relay({ allowInsecureAuth: true })
  expect(await failure(outbound(plain.port, { login: 'user:right@' }).send(MAIL))).toMatchObject({ code: 'ETLS' })
  await outbound(plain.port, { login: 'user:right@', query: '?requireTLS=false' }).send(MAIL)
  expect(plain.received).toMatchObject([{ user: 'user', secure: false }])
})

test.each([
  ['STARTTLS', 'smtp', { disabledCommands: [] }],
  ['TLS from the beginning', 'smtps', { secure: true }],
])('uses %s, and accepts a self-signed certificate only if it is allowed', async (_what, scheme, options) => {
  const { port, received } = await relay(options)
  const login = 'user:right@'
  expect(await failure(outbound(port, { scheme, login }).send(MAIL))).not.toBeInstanceOf(MailRefused)
  await outbound(port, { scheme, login, query: '?tls.rejectUnauthorized=false' }).send(MAIL)
  expect(received).toMatchObject([{ secure: true, user: 'user' }])
})

test.each([
  ['STARTTLS', 'smtp', { disabledCommands: [] }],
  ['TLS from the beginning', 'smtps', { secure: true }],
])('without a password, uses %s with any certificate of a relay on this machine', async (_what, scheme, options) => {
  const { port, received } = await relay(options)
  await outbound(port, { scheme }).send(MAIL)
  await outbound(port, { scheme, host: 'LocalHost' }).send(MAIL)
  expect(received).toMatchObject([{ secure: true }, { secure: true }])
  for (const host of ['127.0.0.1', 'localhost'])
    for (const query of [
      '?tls.rejectUnauthorized=true',
      '?tls.servername=relay.example',
      '?servername=relay.example',
    ]) {
      const verify = outbound(port, { scheme, host, query })
      expect(await failure(verify.send(MAIL))).toMatchObject({ code: expect.stringMatching(/ESOCKET|ETLS/) })
    }
  expect(await failure(outbound(port, { scheme, login: ':right@' }).send(MAIL))).toMatchObject({ code: 'ESOCKET' })
})

test.each(['127.0.0.1', '::1'])('connects to localhost at %s without asking a name server', async (address) => {
  const { port, received } = await relay({}, address)
  const resolve4 = vi.spyOn(Resolver.prototype, 'resolve4')
  const resolve6 = vi.spyOn(Resolver.prototype, 'resolve6')
  try {
    await outbound(port, { host: 'Localhost' }).send(MAIL)
    expect(received).toHaveLength(1)
    expect(await failure(outbound(1, { host: 'localhost' }).send(MAIL))).toMatchObject({ code: 'ECONNREFUSED' })
    expect([resolve4, resolve6].flatMap(({ mock }) => mock.calls)).toEqual([])
  } finally {
    resolve4.mockRestore()
    resolve6.mockRestore()
  }
})

test('verifies the certificate of a relay on another machine', () => {
  const options = (url: string) => connectionTo({ url, timeout: 1 })
  for (const host of ['relay.example', '10.0.0.5', 'localhost.example', 'relay.localhost', '[fd00::1]'])
    expect(options(`smtp://${host}:25`)).not.toHaveProperty('tls')
  for (const host of ['localhost', '127.0.0.2', '[::1]'])
    expect(options(`smtp://${host}`)).toMatchObject({ tls: { rejectUnauthorized: false } })
})

test('does not reject the email permanently for a wrong password', async () => {
  const { port } = await relay({ disabledCommands: [] })
  const options = { login: 'user:wrong@', query: '?tls.rejectUnauthorized=false' }
  expect(await failure(outbound(port, options).send(MAIL))).toMatchObject({ code: 'EAUTH' })
})
