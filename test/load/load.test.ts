import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { Ledger } from './ledger.ts'
import { type LoadOptions, runLoad } from './load.ts'
import { findLoadMail, loadMails } from './mail.ts'

const servers: SMTPServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(resolve))))
})

async function sink(
  options: SMTPServerOptions = {},
): Promise<{ port: number; received: Buffer[]; server: SMTPServer }> {
  const received: Buffer[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks))
        callback()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  servers.push(server)
  const listener = server.listen(0, '127.0.0.1') as Server
  await once(listener, 'listening')
  return { port: (listener.address() as AddressInfo).port, received, server }
}

const loadOf = (port: number, options: Partial<LoadOptions> = {}): LoadOptions => ({
  port,
  connections: 4,
  perConnection: 5,
  messages: 50,
  seconds: 30,
  recipients: ['a@mayfly.test', 'b@mayfly.test'],
  mails: loadMails(8192, 'test'),
  ledger: new Ledger(),
  ...options,
})

test('messages have 8 KB, are unique, and arrive unchanged', async () => {
  const { port, received } = await sink()
  const raws = new Map<string, Buffer>()
  const make = loadMails(8192, 'test', { dots: true })
  const mails = (): ReturnType<typeof make> => {
    const mail = make()
    raws.set(mail.id, mail.raw)
    return mail
  }
  const result = await runLoad(loadOf(port, { mails }))
  expect(result).toMatchObject({ acknowledged: 50, refused: 0, lost: 0, connectionsRefused: 0 })
  expect(received).toHaveLength(50)
  for (const bytes of received) {
    expect(Math.abs(bytes.length - 8192)).toBeLessThan(10)
    const mail = findLoadMail(Buffer.concat([Buffer.from('Received: by us\r\n'), bytes]))
    expect(mail?.raw.equals(raws.get(mail.id) ?? Buffer.alloc(0))).toBe(true)
    raws.delete(mail?.id ?? '')
  }
  expect(raws.size).toBe(0)
})

test('refused messages are not acknowledged in the records', async () => {
  const ledger = new Ledger()
  const { port, received } = await sink({
    onRcptTo: ({ address }, _session, callback) =>
      address.startsWith('b') ? callback(Object.assign(new Error('no'), { responseCode: 550 })) : callback(),
  })
  const result = await runLoad(loadOf(port, { ledger }))
  expect(result).toMatchObject({ acknowledged: 25, refused: 25 })
  expect(received).toHaveLength(25)
  expect([ledger.count('acknowledged'), ledger.count('refused'), ledger.count('unknown')]).toEqual([25, 25, 0])
  expect(result.refusals.join()).toContain('550')
})

test('a message without a reply stays unknown', async () => {
  const ledger = new Ledger()
  const { port, received, server } = await sink({
    onData(stream, _session, callback) {
      stream.resume()
      stream.on('end', () => {
        if (received.push(Buffer.alloc(0)) <= 10) return callback()
        server.server.close()
        for (const connection of server.connections) connection._socket.destroy()
      })
    },
  })
  const result = await runLoad(loadOf(port, { ledger }))
  expect(ledger.count('acknowledged')).toBe(10)
  expect(ledger.count('unknown')).toBeGreaterThan(0)
  expect(result.lost).toBeGreaterThan(0)
})

test('refused connections are distinguished from refused messages', async () => {
  const { port } = await sink({ onConnect: (_session, callback) => callback(new Error('no room')) })
  const result = await runLoad(loadOf(port))
  expect(result).toMatchObject({ acknowledged: 0, connectionsRefused: 4 })
})

test('the generator runs as a separate process and prints its results', async () => {
  const { port, received } = await sink()
  const program = join(import.meta.dirname, 'generate.ts')
  const child = spawn(process.execPath, [
    program,
    '--port',
    String(port),
    '--rcpt',
    'a@x.test',
    '--messages',
    '20',
    '--connections',
    '2',
  ])
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(JSON.parse(output)).toMatchObject({ acknowledged: 20, refused: 0, latency: { p50: expect.any(Number) } })
  expect(received).toHaveLength(20)
})
