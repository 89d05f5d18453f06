import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { runMayfly, startMayfly } from '#test/support/program/command.ts'

const home = mkdtempSync(join(tmpdir(), 'mayfly-home-'))
const dataDir = join(home, 'data')
const temporary = join(home, 'tmp')

const ENV = { HOME: home, MAYFLY_DATA_DIR: dataDir }

async function mayfly(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = await runMayfly(args, { ...ENV, ...env })
  return { status, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() }
}

interface Announced {
  url: string
  smtp: { host: string; port: number }
  domains: string[]
  pid: number
}
let service: ReturnType<typeof startMayfly>
let announced: Announced
beforeAll(async () => {
  // An own temporary directory shows what the service leaves behind.
  mkdirSync(temporary)
  service = startMayfly(['start', '--ephemeral'], { ...ENV, TMPDIR: temporary })
  const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as [string]
  announced = JSON.parse(line) as Announced
})
afterAll(async () => {
  if (service.exitCode === null) {
    service.kill()
    await once(service, 'close')
  }
  rmSync(home, { recursive: true })
})

describe('an ephemeral service', () => {
  test('prints where it runs, as one line of JSON', async () => {
    expect(announced).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      smtp: { host: '127.0.0.1', port: expect.any(Number) },
      domains: ['mayfly.test', 'dayfly.test'],
      pid: service.pid,
    })
    expect((await fetch(`${announced.url}/readyz`)).status).toBe(200)
  })

  test('creates an address, waits for a message to it, and prints code, link, text or JSON', async () => {
    const created = await mayfly(['new', 'cli.test', '--url', announced.url])
    expect(created).toEqual({ status: 0, stdout: 'cli.test@mayfly.test', stderr: '' })
    const waiting = mayfly(['wait', 'CLI.test@mayfly.test', '--code', '--subject', 'confirm'])
    const link = 'https://shop.example/confirm?token=Zk3vQ9x7Lm2pR8sT'
    const mail = {
      to: 'cli.test@mayfly.test',
      subject: 'Confirm it',
      text: `Your code is 482913\n\nOr confirm:\n${link}\n`,
    }
    await sendMail(announced.smtp.port, mail)
    expect(await waiting).toEqual({ status: 0, stdout: '482913', stderr: '' })
    const [found, whole, json] = await Promise.all([
      mayfly(['wait', 'cli.test@mayfly.test', '--link']),
      mayfly(['wait', 'cli.test@mayfly.test']),
      mayfly(['wait', 'cli.test@mayfly.test', '--json']),
    ])
    expect(found.stdout).toBe(link)
    expect(whole.stdout).toMatch(
      /^From: .+\nTo: cli\.test@mayfly\.test\nSubject: Confirm it\nReceived: .+\nCode: 482913\n/,
    )
    expect(JSON.parse(json.stdout)).toMatchObject({ subject: 'Confirm it', code: '482913' })
  })

  test('explains a wait that ends without a match', async () => {
    const { stdout: address } = await mayfly(['new', '--url', announced.url])
    await sendMail(announced.smtp.port, { to: address, subject: 'Welcome', text: 'Hello' })
    await mayfly(['wait', address, '--subject', 'Welcome'])
    const { status, stdout, stderr } = await mayfly(['wait', address, '--code', '--timeout', '0'])
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^.+: No matching message .+ "Welcome" from .+ does not match `has`\.$/)
  })

  test('prints the page of the newest inbox, or of a given one', async () => {
    const { stdout } = await mayfly([
      'new',
      '--url',
      announced.url,
      '--domain',
      'dayfly.test',
      '--ten-minutes',
      '--json',
    ])
    const { address, page } = JSON.parse(stdout) as { address: string; page: string }
    expect(address).toMatch(/@dayfly\.test$/)
    expect(page).toMatch(/^http:\/\/localhost:\d+\/en#secret=[\w-]{43}$/)
    expect((await mayfly(['open', '--print'])).stdout).toBe(page)
    expect((await mayfly(['open', address, '--print'])).stdout).toBe(page)
  })

  test('remembers inboxes that are created at the same time', async () => {
    const created = await Promise.all([1, 2, 3].map(() => mayfly(['new', '--url', announced.url])))
    for (const { stdout } of created) expect((await mayfly(['open', stdout, '--print'])).status).toBe(0)
  })

  test.each([
    [['wait', 'a@b.example'], /^mayfly new did not create a@b\.example on this computer$/],
    [['new', 'postmaster'], /login_reserved/],
  ])('%j exits with 1 and one line', async (args, line) => {
    const result = await mayfly(args[0] === 'new' ? [...args, '--url', announced.url] : args)
    expect([result.status, result.stdout]).toEqual([1, ''])
    expect(result.stderr).toMatch(line)
    expect(result.stderr.split('\n')).toHaveLength(1)
  })

  test.each([
    ['/some/path', /^There is no Mayfly service at http:\S+\/some\/path\. Check the URL, which has no path$/],
    ['/api/v1/config?', /^There is no Mayfly service at /],
  ])('a URL with the path %s is no Mayfly service', async (path, line) => {
    const { status, stdout, stderr } = await mayfly(['new', '--url', `${announced.url}${path}`])
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(line)])
  })

  test('leaves nothing behind when its terminal is closed', async () => {
    expect(readdirSync(temporary)).toHaveLength(1)
    service.kill('SIGHUP')
    await once(service, 'close')
    expect(service.exitCode).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
    expect(existsSync(dataDir)).toBe(false)
  })
})

describe('without a service', () => {
  test('new names the URL, and how to get a service', async () =>
    expect(await mayfly(['new', '--url', 'http://127.0.0.1:2'])).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^No service responds at http:\/\/127\.0\.0\.1:2 \(.*ECONNREFUSED.*\)\. Start one with mayfly start, or name another with --url$/,
      ),
    }))

  test.each([['wait'], ['open']])('%s names the URL, and what to start', async (command) => {
    // The service of the tests above has stopped.
    expect(await mayfly([command, 'cli.test@mayfly.test'])).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^No service responds at http:\/\/localhost:\d+ \(.*ECONNREFUSED.*\)\. Start the service that has the address again, with mayfly start$/,
      ),
    })
  })

  test.each([
    [200, '<!doctype html>'],
    [404, 'Not found'],
    [404, '{"message":"Not found"}'],
  ])('new says that a server that responds with %i %s is something else', async (status, body) => {
    const other = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const stderr = `There is no Mayfly service at ${url}. Check the URL, which has no path`
    expect(await mayfly(['new', '--url', url])).toEqual({ status: 1, stdout: '', stderr })
    other.close()
  })

  test('new refuses what is no URL', async () =>
    expect(await mayfly(['new', '--url', 'mail.example'])).toMatchObject({
      status: 2,
      stderr: '--url must be a URL with http or https',
    }))
})

describe('keys and webhooks of a service that is not public', () => {
  test.each([
    ['keys', 'create', 'my tests'],
    ['keys', 'list'],
    ['webhooks', 'add', 'http://127.0.0.1:1/'],
  ])('%s %s needs a data directory in which a service ran', async (...args) => {
    const own = join(home, 'never')
    expect(await mayfly(args, { MAYFLY_DATA_DIR: own })).toEqual({
      status: 1,
      stdout: '',
      stderr: `There is no database in ${own}. Run mayfly start once, or set MAYFLY_DATA_DIR to the directory of the service. A service with --ephemeral has a directory of its own`,
    })
    expect(existsSync(own)).toBe(false)
  })

  test('work without a subscription', async () => {
    const running = startMayfly(['start'], {
      ...ENV,
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_METRICS_PORT: '0',
    })
    let printed = ''
    running.stdout.on('data', (chunk) => (printed += chunk))
    await expect.poll(() => printed).toContain('send-test')
    const created = await mayfly(['keys', 'create', 'my tests'])
    expect(created.stderr).toContain(`Data directory: ${dataDir}`)
    const key = created.stdout
    expect(key).toMatch(/^mfk_[\w-]{43}$/)
    const [, label] = (await mayfly(['keys', 'list'])).stdout.split('\t')
    expect(label).toBe('my tests')
    // As in a container: on all interfaces, with links to localhost.
    expect((await mayfly(['keys', 'list'], { MAYFLY_HOST: '0.0.0.0' })).stdout).toContain('my tests')
    // With a name that other containers call.
    const inNetwork = { MAYFLY_PUBLIC_URL: 'http://mayfly:3000' }
    expect((await mayfly(['keys', 'list'], inNetwork)).stdout).toContain('my tests')
    expect(await mayfly(['keys', 'list'], { MAYFLY_PUBLIC_URL: 'https://mayfly.example' })).toMatchObject({ status: 1 })
    const calls: string[] = []
    const receiver = createServer((request, response) => {
      request.on('data', (chunk) => calls.push(String(chunk))).on('end', () => response.end())
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const added = await mayfly(['webhooks', 'add', url])
    expect(added.stderr).toContain(`Data directory: ${dataDir}`)
    const [id = '', secret] = added.stdout.split('\t')
    expect(secret).toMatch(/^whsec_/)
    expect((await mayfly(['webhooks', 'test', id])).stdout).toBe('The response had the status 200')
    expect(calls).toHaveLength(1)
    expect((await mayfly(['webhooks', 'list'])).stdout).toContain(url)

    // The running service accepts the key, and calls the webhook.
    const page = /Page {2}(\S+)\//.exec(printed)![1]!
    const smtp = Number(/SMTP {2}\S+:(\d+)/.exec(printed)![1])
    const response = await fetch(`${page}/api/v1/addresses`, { method: 'POST', headers: { 'x-api-key': key } })
    expect(response.status).toBe(201)
    const { address } = (await response.json()) as { address: string }
    await sendMail(smtp, { to: address, subject: 'for the webhook', text: 'x' })
    await expect.poll(() => calls.join()).toContain('for the webhook')

    expect((await mayfly(['webhooks', 'remove', id])).status).toBe(0)
    const [keyId = ''] = (await mayfly(['keys', 'list'])).stdout.split('\t')
    expect((await mayfly(['keys', 'revoke', keyId])).status).toBe(0)
    expect((await mayfly(['keys', 'list'])).stdout).toBe('')
    running.kill()
    await once(running, 'close')
    receiver.close()
  })
})
