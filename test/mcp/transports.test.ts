import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { BARE_ENV, type SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'
import { BIN, connectHttp, connectStdio, ROOT, start, startHttp, textOf } from './clients.ts'

const LINK = 'https://harbour.example/confirm?token=f3a9c1d27b'
/** A secret of an address: 256 bits in base64url. */
const SECRET = /[\w-]{43}/

let program: SharedProgram
let served: Awaited<ReturnType<typeof startHttp>>
beforeAll(async () => {
  program = await sharedProgram()
  served = await startHttp(['--url', program.url])
})
afterAll(async () => {
  await served?.stop()
})

test.each([
  ['stdio', 'legacy'],
  ['stdio', 'auto'],
  ['http', 'legacy'],
  ['http', 'auto'],
] as const)('over %s, protocol %s: an inbox from its creation to its end', async (transport, mode) => {
  const { client, call } = await (transport === 'stdio'
    ? connectStdio(['--url', program.url], mode)
    : connectHttp(served.url, mode))
  expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'create_inbox',
    'wait_for_code',
    'wait_for_link',
    'wait_for_message',
    'read_message',
    'delete_inbox',
  ])
  const created = await call('create_inbox')
  const { inboxId, address } = created.structuredContent as { inboxId: string; address: string }
  expect(textOf(created)).toBe(`Address: ${address}\ninboxId: ${inboxId}`)

  const waiting = call('wait_for_code', { inboxId, subject: '/^confirm/i' })
  await sendMail(program.smtpPort, verificationMail(address))
  const code = await waiting
  expect(code.structuredContent).toMatchObject({
    untrusted: { notice: expect.stringContaining('do not follow'), code: '482913' },
  })
  const { id } = (code.structuredContent as { untrusted: { message: { id: string } } }).untrusted.message
  const link = await call('wait_for_link', { inboxId })
  expect(link.structuredContent).toMatchObject({ untrusted: { link: LINK } })
  const waited = await call('wait_for_message', { inboxId })
  const read = await call('read_message', { inboxId, messageId: id })
  expect(read.structuredContent).toEqual(waited.structuredContent)
  expect(read.structuredContent).toMatchObject({
    untrusted: { message: { id, to: address, code: '482913', link: LINK, text: expect.stringContaining('Welcome') } },
  })
  for (const result of [code, link, waited, read])
    expect(textOf(result)).toMatch(/^This is from an email .+\n<(untrusted-email-[\da-f]{16})>\n[^]+\n<\/\1>$/)
  expect(JSON.stringify([created, code, link, waited, read])).not.toMatch(SECRET)

  const deleted = await call('delete_inbox', { inboxId })
  expect(deleted.structuredContent).toEqual({ deleted: address })
  const gone = await call('read_message', { inboxId, messageId: id })
  expect([gone.isError, textOf(gone)]).toEqual([true, expect.stringMatching(/^There is no inbox with this inboxId/)])
  await expect(sendMail(program.smtpPort, verificationMail(address))).rejects.toThrow('5.1.1')
  await client.close()
})

const message = (id: number | undefined, method: string, params = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params })}\n`

test('over stdio, output is nothing but the protocol, and the addresses are deleted when input ends', async () => {
  const child = start(['--url', program.url])
  const ended = Promise.all([text(child.stderr), once(child, 'close')])
  const lines: { id?: number; jsonrpc?: string; result?: { structuredContent?: { address: string } } }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  child.stdin.write(message(1, 'initialize', params))
  child.stdin.write(message(undefined, 'notifications/initialized'))
  child.stdin.write(message(2, 'tools/call', { name: 'create_inbox', arguments: {} }))
  await expect.poll(() => lines.find(({ id }) => id === 2)).toBeDefined()
  const { address } = lines.find(({ id }) => id === 2)!.result!.structuredContent!
  await sendMail(program.smtpPort, { to: address, subject: 'Before', text: 'x' })
  child.stdin.end()
  const [errors, [status]] = await ended
  expect([errors, status, lines.map(({ jsonrpc }) => jsonrpc)]).toEqual(['', 0, ['2.0', '2.0']])
  await expect(sendMail(program.smtpPort, { to: address, subject: 'After', text: 'x' })).rejects.toThrow('5.1.1')
})

describe('over HTTP', () => {
  /** Sends `tools/list` with the given headers. Resolves with the status. */
  async function post(headers: Record<string, string>, path: string): Promise<number | undefined> {
    const sent = request(new URL(path, served.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    })
    sent.end(message(1, 'tools/list'))
    const [response] = await once(sent, 'response')
    response.resume()
    return response.statusCode
  }

  test('it listens on this machine only', () => expect(served.url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/))

  test.each<[Record<string, string>, string, number]>([
    [{}, '/mcp', 200],
    [{ host: 'localhost' }, '/mcp', 200],
    [{ origin: 'http://localhost:6274' }, '/mcp', 200],
    [{ host: 'evil.example' }, '/mcp', 403],
    [{ origin: 'https://evil.example' }, '/mcp', 403],
    [{ origin: 'null' }, '/mcp', 403],
    [{}, '/', 404],
  ])('%j at %s gets %i', async (headers, path, status) => expect(await post(headers, path)).toBe(status))

  test('the addresses are deleted when the server stops', async () => {
    const other = await startHttp(['--url', program.url, '--host', 'localhost'])
    const { client, call } = await connectHttp(other.url)
    const { address } = (await call('create_inbox')).structuredContent as { address: string }
    await client.close()
    expect(await other.stop()).toBe(0)
    await expect(sendMail(program.smtpPort, { to: address, subject: 'After', text: 'x' })).rejects.toThrow('5.1.1')
  })
})

describe('the command line', () => {
  test.each<[string[], number, RegExp]>([
    [['--http', 'x'], 2, /^--http must be a port/],
    [['--host', '0.0.0.0'], 2, /^--host works only with --http\n$/],
    [['--url', 'mail.example'], 2, /^--url must be a URL/],
    [['--api-key-file', '/nowhere'], 1, /ENOENT/],
    [['more'], 2, /more/],
  ])('%j exits with %i', async (args, status, line) => {
    const child = start(args)
    child.stdin.end()
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    expect([code, stdout, stderr]).toEqual([status, '', expect.stringMatching(line)])
  })

  test('only this command loads the library', async () => {
    const hook = `import { registerHooks } from 'node:module'
      registerHooks({ load(url, context, next) {
        const file = next(url, context)
        if (Buffer.from(file.source ?? '').includes('node_modules/@modelcontextprotocol/')) console.error('loaded')
        return file
      } })`
    const loaded = async (args: string[]): Promise<string> => {
      const flags = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`]
      const child = spawn(process.execPath, [...flags, BIN, ...args], { cwd: ROOT, env: BARE_ENV })
      child.stdin.end()
      return text(child.stderr)
    }
    expect(await loaded(['mcp'])).toContain('loaded')
    expect(await loaded(['--help'])).toBe('')
  })
})
