import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const sockets: Socket[] = []
async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}
/** Returns the response to a request that closes its connection. */
async function ask(socket: Socket): Promise<{ status: number; code: string | undefined; answer: string }> {
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const answer = await text(socket)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), code: (JSON.parse(body) as { code?: string }).code, answer }
}
const status = async (program: Program) => (await ask(await open(program.httpPort))).status

describe.each([
  [
    'one client',
    { MAYFLY_HTTP_CONNECTIONS_PER_IP_MAX: '5', MAYFLY_TRUSTED_PROXIES: '10.0.0.1' },
    429,
    'too_many_requests',
  ],
  ['all', { MAYFLY_HTTP_CONNECTIONS_MAX: '5' }, 503, 'unavailable'],
])('limits connections of %s', (_whose, env, refused, code) => {
  let program: Program
  beforeAll(async () => {
    program = await startProgram({ env: { ...WITHOUT_LIMITS, ...env } })
  })
  afterAll(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    expect(await program.stop()).toBe(0)
  })

  test('accepts connections up to the limit, refuses one more, and has room again when one closes', async () => {
    const held = await Promise.all(Array.from({ length: 5 }, () => open(program.httpPort)))
    await expect.poll(() => status(program)).toBe(refused)
    const { answer, ...problem } = await ask(await open(program.httpPort))
    expect(problem).toEqual({ status: refused, code })
    expect(answer).toMatch(/^retry-after: \d+\r$/m)
    expect(answer).toMatch(/^access-control-allow-origin: \*\r$/m)
    expect(answer).toMatch(/^content-type: application\/problem\+json\r$/m)
    // Open connections continue.
    expect(await ask(held[0]!)).toMatchObject({ status: 200 })
    await expect.poll(() => status(program)).toBe(200)
    for (const socket of held) socket.destroy()
  })
})

test('connections of a trusted proxy count only for the total limit', async () => {
  const program = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_HTTP_CONNECTIONS_PER_IP_MAX: '2' } })
  try {
    await Promise.all(Array.from({ length: 8 }, () => open(program.httpPort)))
    expect(await status(program)).toBe(200)
  } finally {
    for (const socket of sockets.splice(0)) socket.destroy()
    await program.stop()
  }
})

test('a flood of HTTP connections leaves file descriptors for SMTP', { timeout: 120_000 }, async () => {
  const program = await startProgram({ env: WITHOUT_LIMITS, descriptors: 1024 })
  try {
    const owner = await createAddress(program.url)
    expect(program.stderr.join('\n')).toContain('may open 1024 files')
    const flood = await Promise.all(Array.from({ length: 1200 }, () => open(program.httpPort)))
    await expect
      .poll(() => flood.filter((socket) => socket.readableEnded || socket.destroyed).length, { timeout: 30_000 })
      .toBeGreaterThan(700)
    await sendMail(program.smtpPort, { to: owner.address, subject: 'still here', text: 'x' })
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect
      .poll(async () =>
        (await owner.json('/api/v1/messages')).messages.map(({ subject }: { subject: string }) => subject),
      )
      .toEqual(['still here'])
  } finally {
    for (const socket of sockets.splice(0)) socket.destroy()
    await program.stop()
  }
})

test('a client that reads no downloads gets no more of them, other clients do', { timeout: 60_000 }, async () => {
  const program = await startProgram({ env: WITHOUT_LIMITS })
  try {
    const owner = await createAddress(program.url)
    await sendMail(program.smtpPort, { to: owner.address, subject: 'large', text: 'twelve bytes'.repeat(700_000) })
    const download = async (ip: string): Promise<Socket> => {
      const socket = await open(program.httpPort)
      const head = [`GET /api/v1/messages/${id}/raw HTTP/1.1`, 'Host: localhost', `X-Forwarded-For: ${ip}`]
      socket.write([...head, `Authorization: Bearer ${owner.secret}`, 'Connection: close', '', ''].join('\r\n'))
      await once(socket, 'readable')
      return socket
    }
    const statusLine = async (socket: Socket) => (await text(socket)).split('\r\n')[0]
    const [{ id }] = (await owner.json('/api/v1/messages')).messages
    const unread: Socket[] = []
    while (unread.length < 6) unread.push(await download('192.0.2.1'))
    expect(await statusLine(await download('192.0.2.1'))).toBe('HTTP/1.1 429 Too Many Requests')
    expect(await statusLine(await download('192.0.2.2'))).toBe('HTTP/1.1 200 OK')
  } finally {
    for (const socket of sockets.splice(0)) socket.destroy()
    await program.stop()
  }
})
