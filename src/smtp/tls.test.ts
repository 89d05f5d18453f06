import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  connect as connectTls,
  createSecureContext,
  type SecureContext,
  type SecureVersion,
  type TLSSocket,
} from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSession, RawClient, startServer, until } from './testing.ts'

/** Performs the client side of the handshake. */
async function secure(client: RawClient, maxVersion: SecureVersion = 'TLSv1.3'): Promise<TLSSocket> {
  client.socket.removeAllListeners()
  const socket = connectTls({
    socket: client.socket,
    rejectUnauthorized: false,
    servername: 'mx.mayfly.test',
    maxVersion,
  })
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  client.use(socket)
  return socket
}

describe('STARTTLS', () => {
  it('resets the session after the handshake', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    await client.ask('EHLO before.example')
    await client.ask('MAIL FROM:<before@example.org>')
    expect(await client.ask('STARTTLS')).toMatch(/^220 2\.0\.0/)
    await secure(client)
    expect(await client.ask('RCPT TO:<a@mayfly.test>')).toMatch(/^503/)
    expect(await client.ask('MAIL FROM:<s@example.org>')).toMatch(/^503/)
    expect(await client.ask('EHLO after.example')).not.toContain('STARTTLS')
    expect(await client.ask('STARTTLS')).toMatch(/^503/)
    await client.startData()
    expect(await client.ask('x\r\n.')).toMatch(/^250/)
    expect(await client.ask('QUIT')).toMatch(/^221/)
    expect(await client.rest()).toBe('')
    expect(smtp.deliveries[0]).toMatchObject({
      envelope: { tls: true, mailFrom: 's@example.org' },
      trace: expect.stringContaining(' with ESMTPS id '),
    })
    expect(smtp.counts).toContain('smtp_tls_handshakes TLSv1.3')
  })

  it('is refused while there is no certificate, and the session goes on', async () => {
    const certificate = vi.fn<() => Promise<SecureContext>>().mockRejectedValueOnce(new Error('EMFILE'))
    const context = await generate([{ name: 'commonName', value: 'x' }])
    certificate.mockImplementation(async () => createSecureContext({ cert: context.cert, key: context.private }))
    const { client, close } = await openSession({}, {}, certificate)
    try {
      await client.ask('EHLO x.example')
      client.send('STARTTLS\r\nNOOP\r\n')
      expect(await client.reply()).toMatch(/^454 4\.7\.0 /)
      expect(await client.reply()).toMatch(/^250/)
      expect(await client.ask('STARTTLS')).toMatch(/^220/)
      await secure(client)
      expect(await client.ask('NOOP')).toMatch(/^250/)
    } finally {
      close()
    }
  })

  it('refuses renegotiation over TLS 1.2', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    await client.ask('STARTTLS')
    const socket = await secure(client, 'TLSv1.2')
    expect(socket.getProtocol()).toBe('TLSv1.2')
    expect(await client.ask('NOOP')).toMatch(/^250/)
    const refused = await new Promise<Error | null>((resolve) => {
      socket.once('error', resolve).renegotiate({ rejectUnauthorized: false }, resolve)
    })
    expect(refused).toBeInstanceOf(Error)
  })

  it('discards commands that were pipelined in plain text', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    client.send('EHLO x\r\nSTARTTLS\r\nEHLO evil\r\nMAIL FROM:<evil@example.org>\r\nRCPT TO:<a@mayfly.test>\r\n')
    await client.reply()
    expect(await client.reply()).toMatch(/^220/)
    await secure(client)
    expect(await client.ask('NOOP')).toMatch(/^250 2\.0\.0 OK/)
    expect(await client.ask('MAIL FROM:<s@example.org>')).toMatch(/^503/)
    client.close()
  })

  it('discards an incomplete command', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    client.send('STARTTLS\r\nMAIL FROM:')
    expect(await client.reply()).toMatch(/^220/)
    await secure(client)
    expect(await client.ask('NOOP')).toMatch(/^250/)
    client.close()
  })

  it('discards commands that waited for a slow lookup', async () => {
    const gate = Promise.withResolvers<void>()
    let lookupStarted = false
    const accept = async () => {
      lookupStarted = true
      await gate.promise
      throw new Error('late')
    }
    await using smtp = await startServer({}, { accept })
    const client = await RawClient.connect(smtp.port)
    client.send(`EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<a@mayfly.test>\r\nSTARTTLS\r\n${'NOOP\r\n'.repeat(100_000)}`)
    await until(() => lookupStarted)
    gate.resolve()
    const replies = await client.replies(9)
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['250', '250', '451', '220'])
  })

  it('closes the connection if a command arrives instead of the handshake', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    expect(await client.ask('STARTTLS')).toMatch(/^220/)
    client.send('EHLO evil\r\n')
    expect(await client.rest()).not.toMatch(/250/)
    expect(smtp.counts).toContain('smtp_tls_handshakes failed')
  })
})

describe('the STARTTLS certificate', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mayfly-tls-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  const files = () => ({ certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') })

  async function writePair(name: string): Promise<void> {
    const { cert, private: key } = await generate([{ name: 'commonName', value: name }], { algorithm: 'sha256' })
    await writeFile(files().certFile, cert)
    await writeFile(files().keyFile, key)
  }

  async function commonName(port: number): Promise<unknown> {
    const client = await RawClient.connect(port)
    await client.ask('STARTTLS')
    const socket = await secure(client)
    const { CN } = socket.getPeerCertificate().subject
    client.close()
    return CN
  }

  it('is self-signed for the host name if there are no files', async () => {
    await using smtp = await startServer()
    expect(await commonName(smtp.port)).toBe('mx.mayfly.test')
  })

  it('is reloaded when its files change, and kept while they are invalid', async () => {
    await writePair('first.example')
    await using smtp = await startServer({ certificate: files(), certificateCheckInterval: 10 })
    expect(await commonName(smtp.port)).toBe('first.example')
    await writeFile(files().keyFile, 'half a key')
    await until(() => smtp.counts.includes('smtp_certificate_loads failed'))
    expect(smtp.logs).toContainEqual(
      expect.stringMatching(/^New SMTP certificate cannot be used; .* \{"reason":"ERR_OSSL_\w+"\}$/),
    )
    expect(await commonName(smtp.port)).toBe('first.example')
    await writePair('second.example')
    await until(() => smtp.counts.includes('smtp_certificate_loads loaded'))
    expect(await commonName(smtp.port)).toBe('second.example')
  })

  it('rejects listen if it cannot be used', async () => {
    await expect(startServer({ certificate: { certFile: '/nowhere', keyFile: '/nowhere' } })).rejects.toThrow('ENOENT')
  })
})
