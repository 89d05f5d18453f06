import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAddress } from '#test/api.ts'
import { sendMail } from '#test/mail.ts'
import { type Program, startProgram } from '#test/program.ts'

const root = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-cli-'))

function mayfly(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/mayfly.js', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, MAYFLY_DATA_DIR: dataDir, ...env },
  })
  return { status, stdout, stderr }
}

let program: Program
beforeAll(async () => {
  program = await startProgram({ dataDir })
})
afterAll(async () => {
  await program.stop()
  rmSync(dataDir, { recursive: true })
})

describe('mayfly', () => {
  test('--version', () => expect(mayfly(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' }))

  test.each([[[]], [['--help']], [['-h']]])('%j prints commands and settings', (args) => {
    const { status, stdout, stderr } = mayfly(args)
    expect([status, stderr]).toEqual([0, ''])
    for (const text of ['start', 'send-test ADDRESS', 'operator-mail [ID]', 'stats', 'MAYFLY_SMTP_PORT'])
      expect(stdout).toContain(text)
  })

  test('help works where a setting is wrong', () =>
    expect(mayfly(['--help'], { MAYFLY_HTTP_PORT: 'x' }).status).toBe(0))

  test.each([
    [['strat'], 2, 'strat'],
    [['start', 'now'], 2, 'Usage: mayfly start'],
    [['send-test'], 2, 'Usage: mayfly send-test'],
    [['send-test', 'a@b.c', '--port', 'x'], 2, '--port'],
    [['send-test', 'a@b.c', '--prot', '1'], 2, '--prot'],
    [['stats', '--all'], 2, 'Usage: mayfly stats'],
    [['operator-mail', 'a', 'b'], 2, 'Usage: mayfly operator-mail'],
    [['operator-mail', 'nothing'], 1, 'message'],
    [['constructor'], 2, 'constructor'],
  ])('%j ends with %i and one line', (args, status, text) => {
    const result = mayfly(args)
    expect([result.status, result.stdout]).toEqual([status, ''])
    expect(result.stderr).toContain(text)
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  test.each([
    [{ MAYFLY_HTTP_PORT: '70000' }, 'MAYFLY_HTTP_PORT'],
    [{ MAYFLY_HTP_PORT: '1' }, 'did you mean MAYFLY_HTTP_PORT'],
    [{ MAYFLY_SECRET_KEY: 'short' }, 'MAYFLY_SECRET_KEY'],
  ])('start with %j ends with one line that names it', (env, text) => {
    const { status, stdout, stderr } = mayfly(['start'], env)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain(text)
    expect(stderr).not.toContain('short')
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  test('start on a port that is taken says so', () => {
    const other = mkdtempSync(join(tmpdir(), 'mayfly-cli-'))
    const { status, stderr } = mayfly(['start'], {
      MAYFLY_DATA_DIR: other,
      MAYFLY_SMTP_PORT: String(program.smtpPort),
      MAYFLY_HTTP_PORT: '0',
    })
    rmSync(other, { recursive: true })
    expect(status).toBe(1)
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(String(program.smtpPort))
  })

  test('the secret key is readable by its owner only', () =>
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600))
})

describe('beside a running service', () => {
  test('send-test brings a mail whose code it names', async () => {
    const owner = await createAddress(program.url)
    const { status, stdout } = mayfly(['send-test', owner.address, '--port', String(program.smtpPort)])
    expect(status).toBe(0)
    const { messages } = await owner.json('/api/v1/messages?wait=10')
    expect(stdout).toBe(`Sent to ${owner.address}; its code is ${messages[0].code}\n`)
    expect(messages[0].link).toMatch(/^https:\/\/harbour-books\.example\/account\/confirm\?token=/)
  })

  test('send-test to nobody says what the server said', () => {
    const { status, stderr } = mayfly(['send-test', 'nobody@mayfly.test', '--port', String(program.smtpPort)])
    expect(status).toBe(1)
    expect(stderr).toContain('5.1.1')
  })

  test('operator-mail lists what came to postmaster and abuse of every domain, and prints one', async () => {
    for (const to of ['postmaster@mayfly.test', 'Abuse@dayfly.test', 'postmaster+x@vip.mayfly.test'])
      await sendMail(program.smtpPort, { to, subject: `to ${to}`, text: 'complaint \u001B[31m' })
    const { status, stdout } = mayfly(['operator-mail'])
    expect(status).toBe(0)
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(rows.map(([, , to]) => to)).toEqual([
      'postmaster+x@vip.mayfly.test',
      'Abuse@dayfly.test',
      'postmaster@mayfly.test',
    ])
    const one = mayfly(['operator-mail', rows[0]![0]!])
    expect(one.stdout).toContain('Subject: to postmaster+x@vip.mayfly.test')
    // A terminal must not obey what a stranger wrote.
    expect(one.stdout).not.toContain('\u001B')
  })

  test('stats count', async () => {
    const { status, stdout } = mayfly(['stats'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Live addresses\s+\d+$/m)
    expect(stdout).toMatch(/^Messages\s+[1-9]\d*$/m)
    expect(stdout).toMatch(/^Bytes on disk\s+[1-9]\d*$/m)
  })
})

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s lets a mail on its way arrive and ends with 0', async (signal) => {
    const running = await startProgram()
    const owner = await createAddress(running.url)
    const socket = connect(running.smtpPort, '127.0.0.1').setEncoding('utf8')
    let replies = ''
    socket.on('data', (text) => (replies += text))
    const until = async (pattern: RegExp) => {
      await expect.poll(() => replies).toMatch(pattern)
    }
    await until(/^220 /)
    socket.write(`EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<${owner.address}>\r\nDATA\r\n`)
    await until(/^354 /m)
    const ended = running.stop(signal)
    await expect.poll(() => running.stderr.join('\n')).toContain('"stopping"')
    socket.write('Subject: last\r\n\r\nlast words\r\n.\r\n')
    await until(/^250 2\.6\.0/m)
    await until(/^421 /m)
    expect(await ended).toBe(0)
    expect(running.stderr.join('\n')).toContain('"stopped"')
  })

  test('the packaged Node takes over and passes signals on', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'mayfly-cli-'))
    const child = spawn('node', ['bin/mayfly.js', 'start'], {
      cwd: root,
      env: { PATH: process.env.PATH, MAYFLY_DATA_DIR: directory, MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0' },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    await expect.poll(() => output).toContain('Mayfly is running')
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    rmSync(directory, { recursive: true })
  })
})
