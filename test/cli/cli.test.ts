import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signedIn, siteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { runMayfly, startMayfly } from '#test/support/program/command.ts'
import { BARE_ENV, type Program, startProgram, warningsOf, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const root = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))
const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-cli-'))

const mayfly = (args: string[], env: Record<string, string> = {}) =>
  runMayfly(args, { MAYFLY_DATA_DIR: dataDir, ...env })

let program: Program
beforeAll(async () => {
  program = await startProgram({ dataDir, env: { ...WITHOUT_LIMITS, MAYFLY_SUPPORT_BURST: '100' } })
})
afterAll(async () => {
  await program.stop()
  rmSync(dataDir, { recursive: true })
})

describe.concurrent('mayfly', () => {
  test('prints its version', async () =>
    expect(await mayfly(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' }))

  test.each([
    [['--help'], 'MAYFLY_SMTP_PORT'],
    [['new', '--help'], 'Usage: mayfly new [LOGIN]'],
  ])('%j prints help even if a setting is invalid', async (args, part) =>
    expect(await mayfly(args, { MAYFLY_HTTP_PORT: 'x' })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(part),
      stderr: '',
    }),
  )

  test.each([
    [['strat'], 2, 'strat'],
    [['operator-mail', 'nothing'], 1, 'message'],
  ])('%j exits with %i and prints one line', async (args, status, part) => {
    const result = await mayfly(args)
    expect([result.status, result.stdout]).toEqual([status, ''])
    expect(result.stderr).toContain(part)
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  test('stats with a data directory that is a device exits with one line that names it', async () => {
    const { status, stdout, stderr } = await mayfly(['stats'], { MAYFLY_DATA_DIR: '/dev/null/data' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain('/dev/null/data')
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  test('a second start with the same ports and data reports it, and the first one continues', async () => {
    const ports = { MAYFLY_SMTP_PORT: String(program.smtpPort), MAYFLY_HTTP_PORT: String(program.httpPort) }
    const { status, stdout, stderr } = await mayfly(['start'], ports)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/EADDRINUSE.*\d+$/)
    const owner = await createAddress(program.url)
    await sendMail(program.smtpPort, { to: owner.address, subject: 'still here', text: 'x' })
    expect((await owner.json('/api/v1/messages?wait=10')).messages).toMatchObject([{ subject: 'still here' }])
  })

  test('only its owner can read the service key', () =>
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600))
})

test.runIf(hasIpv6)('a service on an IPv6 address prints it in brackets', async () => {
  const running = await startProgram({ env: { MAYFLY_HOST: '::1' } })
  await expect.poll(() => running.stdout).toContain(`  SMTP  [::1]:${running.smtpPort}`)
  await running.stop()
})

describe('while the service runs', () => {
  test('send-test sends a message and prints its code', async () => {
    const owner = await createAddress(program.url)
    const { status, stdout } = await mayfly(['send-test', owner.address, '--port', String(program.smtpPort)])
    expect(status).toBe(0)
    const { messages } = await owner.json('/api/v1/messages?wait=10')
    expect(stdout).toBe(`Sent to ${owner.address}; the code is ${messages[0].code}\n`)
    expect(messages[0].link).toMatch(/^https:\/\/harbour-books\.example\/account\/confirm\?token=/)
  })

  test("send-test prints the server's reply for an unknown recipient", async () => {
    const { status, stderr } = await mayfly(['send-test', 'nobody@mayfly.test', '--port', String(program.smtpPort)])
    expect(status).toBe(1)
    expect(stderr).toContain('5.1.1')
  })

  test('operator-mail lists messages to postmaster and abuse of every domain, and prints one', async () => {
    for (const to of ['postmaster@mayfly.test', 'Abuse@dayfly.test', 'postmaster+x@vip.mayfly.test'])
      await sendMail(program.smtpPort, {
        to,
        subject: `to ${to}`,
        // Escapes and tabs, also inside an encoded word, would forge rows or control the terminal.
        from: { name: 'x\u001B[2Jx', address: 'abuse-reporter@sender.example' },
        headers: { subject: `=?utf-8?Q?to=1B[31m=09=0A${to}?=` },
        text: 'complaint \u001B[31m',
      })
    const { status, stdout } = await mayfly(['operator-mail'])
    expect(status).toBe(0)
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(stdout).not.toMatch(/[^\P{Cc}\t\n]/u)
    expect(rows.map(({ length }) => length)).toEqual([6, 6, 6])
    expect(rows.map(([, , to]) => to)).toEqual([
      'postmaster+x@vip.mayfly.test',
      'Abuse@dayfly.test',
      'postmaster@mayfly.test',
    ])
    const one = await mayfly(['operator-mail', rows[0]![0]!])
    expect(one.stdout).toContain('postmaster+x@vip.mayfly.test')
    expect(one.stdout).toMatch(/^Return-Path: /)
    // A terminal must not execute what a sender wrote.
    expect(one.stdout).not.toContain('\u001B')
    const decoded = await mayfly(['operator-mail', rows[0]![0]!, '--text'])
    expect(decoded.stdout).toMatch(
      /^From: .*<abuse-reporter@sender\.example>\nTo: postmaster\+x@vip\.mayfly\.test\nDate: /,
    )
    expect(decoded.stdout).toContain('\n\ncomplaint')
    expect(decoded.stdout).not.toContain('\u001B')
    const ids = rows.slice(0, 2).map(([id]) => id!)
    expect(await mayfly(['operator-mail', 'delete', ...ids])).toEqual({ status: 0, stdout: '', stderr: '' })
    const left = (await mayfly(['operator-mail'])).stdout
    expect(rows.map(([id]) => left.includes(id!))).toEqual([false, false, true])
    expect((await mayfly(['operator-mail', 'delete', ids[0]!])).status).toBe(1)
  })

  test('operator-mail --text prints messages of forms in any script, with the reply address', async () => {
    const form = {
      kind: 'contact',
      name: '王小明',
      reason: 'question',
      email: 'wang@example.com',
      message: '你好，请问……',
    }
    const { status } = await fetch(`${program.url}/api/v1/support`, {
      method: 'POST',
      headers: { origin: program.url, 'content-type': 'application/json' },
      body: JSON.stringify(form),
    })
    expect(status).toBe(204)
    const [id = ''] = (await mayfly(['operator-mail'])).stdout.split('\t')
    const { stdout } = await mayfly(['operator-mail', id, '--text'])
    expect(stdout).toMatch(/^From: 王小明 via Mayfly <noreply@mayfly\.test>\nReply-To: .*<wang@example\.com>\n/)
    expect(stdout).toContain('\n\n你好，请问……\n\n-- \nForm: contact\nAbout: question\nName: 王小明\n')
  })

  test('operator-mail --text prints a sender without an address', async () => {
    const envelope = { from: 'a@sender.example', to: 'postmaster@mayfly.test' }
    await sendMail(program.smtpPort, { envelope, raw: 'From: Mail System\r\n\r\nx' })
    const [id = ''] = (await mayfly(['operator-mail'])).stdout.split('\t')
    expect((await mayfly(['operator-mail', id, '--text'])).stdout).toMatch(/^From: Mail System\n/)
  })

  test("operator-mail lists and marks subscribers' messages first, but not forged ones", async () => {
    const form = { kind: 'contact', name: 'Ann', reason: 'question', email: 'ann@example.com', message: 'Please help' }
    await subscribeIn(program, 'ann@real.example')
    await subscribeIn(program, 'ben@real.example', { paidUntil: Date.now() - 1 })
    const clients = [
      await signedIn(program, 'ann@real.example'),
      await signedIn(program, 'ben@real.example'),
      siteClient(program),
    ]
    for (const client of clients) expect((await client.send('POST', '/api/v1/support', form)).status).toBe(204)
    const subject = '[premium] [contact: question] Please help'
    const headers = { 'x-mayfly-priority': 'premium' }
    await sendMail(program.smtpPort, { to: 'postmaster@mayfly.test', subject, headers, text: 'me first' })
    const rows = (await mayfly(['operator-mail'])).stdout.split('\n').map((line) => line.split('\t').slice(5))
    expect(rows[0]).toEqual([subject, 'premium'])
    expect(rows.slice(1, 4)).toEqual([
      [subject],
      ['[contact: question] Please help'],
      ['[contact: question] Please help'],
    ])
  })

  test('a reader that closes the pipe early, as `head` does, is not an error', async () => {
    await sendMail(program.smtpPort, { to: 'abuse@mayfly.test', subject: 'long', text: 'x'.repeat(500_000) })
    const [id = ''] = (await mayfly(['operator-mail'])).stdout.split('\t')
    const child = startMayfly(['operator-mail', id], { MAYFLY_DATA_DIR: dataDir })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (part) => (errors += part))
    child.stdout.once('data', () => child.stdout.destroy())
    expect([await once(child, 'close'), errors]).toEqual([[0, null], ''])
  })

  test('stats prints counts', async () => {
    const { status, stdout } = await mayfly(['stats'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Live addresses\s+\d+$/m)
    expect(stdout).toMatch(/^Messages\s+[1-9]\d*$/m)
    expect(stdout).toMatch(/^Bytes on disk\s+[1-9]\d*$/m)
  })
})

describe('stopping', () => {
  /** Begins to send a message, stops the service, and expects that the message is accepted before the service ends. */
  async function expectPatience(url: string, smtpPort: number, stop: () => Promise<void>): Promise<void> {
    const owner = await createAddress(url)
    const socket = connect(smtpPort, '127.0.0.1').setEncoding('utf8')
    let replies = ''
    socket.on('data', (part) => (replies += part))
    // The poll fails then. An event without a listener would end the test run.
    socket.on('error', ({ message }) => (replies += message))
    const until = async (pattern: RegExp) => {
      await expect.poll(() => replies).toMatch(pattern)
    }
    await until(/^220 /)
    socket.write(`EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<${owner.address}>\r\nDATA\r\n`)
    await until(/^354 /m)
    await stop()
    socket.write('Subject: last\r\n\r\nlast words\r\n.\r\n')
    await until(/^250 2\.6\.0/m)
    await until(/^421 /m)
  }

  test('SIGTERM waits for a message in progress and exits with 0; the next service starts meanwhile', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'mayfly-cli-'))
    // The next service may take longer to start than the default of 10 s.
    const running = await startProgram({ dataDir: directory, env: { MAYFLY_SHUTDOWN_SECONDS: '120' } })
    let ended: Promise<number | null> | undefined
    let next: Program | undefined
    await expectPatience(running.url, running.smtpPort, async () => {
      ended = running.stop()
      await expect.poll(() => running.stderr.join('\n')).toContain('"stopping"')
      next = await startProgram({ dataDir: directory })
      expect(running.stderr.join('\n')).not.toContain('"stopped"')
    })
    expect(await ended).toBe(0)
    expect(running.stderr.join('\n')).toContain('"stopped"')
    expect(warningsOf(next!)).toEqual([])
    expect(await next!.stop()).toBe(0)
    rmSync(directory, { recursive: true })
  })

  test('the packaged Node takes over and passes signals on; SIGINT waits for a message in progress too', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'mayfly-cli-'))
    const child = spawn('node', ['bin/mayfly.js', 'start'], {
      cwd: root,
      env: { ...BARE_ENV, MAYFLY_DATA_DIR: directory, MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0' },
    })
    const ended = once(child, 'exit')
    let output = ''
    let log = ''
    child.stdout.setEncoding('utf8').on('data', (part) => (output += part))
    child.stderr.setEncoding('utf8').on('data', (part) => (log += part))
    await expect.poll(() => output).toContain('send-test')
    const [, url = ''] = /Page {2}(\S+)\/\n/.exec(output) ?? []
    const [, port] = /SMTP {2}\S+:(\d+)\n/.exec(output) ?? []
    await expectPatience(url, Number(port), async () => {
      child.kill('SIGINT')
      await expect.poll(() => log).toContain('"stopping"')
    })
    expect((await ended)[0]).toBe(0)
    rmSync(directory, { recursive: true })
  })

  test.runIf(process.platform === 'linux')('the packaged Node that a signal ends gives its exit code', async () => {
    const older =
      'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})'
    const child = spawn(process.execPath, ['--import', older, 'bin/mayfly.js', 'mcp'], {
      cwd: root,
      env: BARE_ENV,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const ended = once(child, 'exit')
    const taken = (): number =>
      Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')[0])
    await expect.poll(taken).toBeGreaterThan(0)
    process.kill(taken(), 'SIGKILL')
    expect(await ended).toEqual([128 + 9, null])
  })

  test('is immediate if nothing is in progress: an idle session gets 421', async () => {
    const idle = await startProgram()
    const socket = connect(idle.smtpPort, '127.0.0.1').setEncoding('utf8')
    let replies = ''
    socket.on('data', (part) => (replies += part))
    await expect.poll(() => replies).toMatch(/^220 /m)
    socket.write('EHLO x\r\n')
    await expect.poll(() => replies).toMatch(/^250 /m)
    const begun = performance.now()
    expect(await idle.stop()).toBe(0)
    expect(performance.now() - begun).toBeLessThan(5000)
    expect(replies).toMatch(/^421 /m)
  })
})
