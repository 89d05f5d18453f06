import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { zoneOf } from '#test/support/dns/outside.ts'
import { signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { runMayfly } from '#test/support/program/command.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-cli-'))
const OLD = join(dataDir, 'outbox', '2026-01-01T000000000Z-ended-x.eml')

const mayfly = (args: string[], env: Record<string, string> = {}) =>
  runMayfly(args, { MAYFLY_DATA_DIR: dataDir, ...env })

let names: DnsServer
let program: Program
beforeAll(async () => {
  mkdirSync(join(dataDir, 'outbox'))
  writeFileSync(OLD, 'Subject: old\r\n\r\n')
  names = await startDnsServer()
  program = await startProgram({ dataDir, env: WITHOUT_LIMITS })
})
afterAll(async () => {
  await program.stop()
  names.close()
  rmSync(dataDir, { recursive: true })
})

test('dns prints the records of every domain, the same each time', async () => {
  const [first, second] = await Promise.all([mayfly(['dns']), mayfly(['dns'])])
  expect([first.status, first.stderr]).toEqual([0, ''])
  expect(second.stdout).toBe(first.stdout)
  const zone = zoneOf(first.stdout.split('\n'))
  for (const domain of ['mayfly.test', 'dayfly.test', 'vip.mayfly.test'])
    expect(zone).toMatchObject({
      [`${domain} MX`]: ['10 mayfly.test.'],
      [`${domain} TXT`]: ['v=spf1 -all'],
      [`mayfly._domainkey.${domain} TXT`]: [expect.stringMatching(/^v=DKIM1;/)],
    })
})

test('dns prints the records of one domain, in any notation, and refuses foreign domains', async () => {
  const [{ stdout }, other] = await Promise.all([mayfly(['dns', 'Dayfly.TEST.']), mayfly(['dns', 'bücher.example'])])
  expect(Object.keys(zoneOf(stdout.split('\n'))).every((name) => name.includes('dayfly.test '))).toBe(true)
  expect(stdout).not.toContain('is not a domain')
  expect(other.stdout).toContain('; xn--bcher-kva.example is not a domain')
})

describe('doctor', () => {
  const doctor = (domain: string) => mayfly(['doctor', domain], { MAYFLY_DNS_SERVERS: names.address })

  test('reports each problem on one line, and exits with 1', async () => {
    Object.assign(names.zone, {
      'mayfly.test MX': ['10 \u001B[31m.other.example'],
      'mayfly.test TXT': ['v=spf1 -all'],
    })
    const { status, stdout, stderr } = await doctor('mayfly.test')
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toContain('ok   mayfly.test  SPF: v=spf1 -all (0 of 10 look-ups)')
    expect(lines.filter((line) => /^(?:ok {3}|warn |fail )\S/.test(line))).toEqual(lines)
    expect(lines.filter((line) => line.startsWith('fail '))).toEqual([
      expect.stringMatching(/^fail mayfly\.test {2}A\/AAAA: no IP address -> set A and AAAA records$/),
      expect.stringMatching(/^fail mayfly\.test {2}MX: mail goes to .*other\.example -> set MX 10 mayfly\.test\.$/),
      expect.stringMatching(/^fail mayfly\.test {2}DKIM: /),
      expect.stringMatching(/^fail mayfly\.test {2}DMARC: /),
      expect.stringMatching(/^fail mayfly\.test {2}MTA-STS: /),
    ])
    // A terminal must not execute what a stranger wrote.
    expect(stdout).not.toContain('\u001B')
    expect([status, stderr]).toEqual([1, '5 of 8 checks failed\n'])
  })
})

describe('outbox', () => {
  test('lists unsent emails and prints one', async () => {
    await subscribeIn(program, 'ann@real.example')
    await signedIn(program, 'ann@real.example')
    const { status, stdout } = await mayfly(['outbox'])
    expect(status).toBe(0)
    const [at, to, kind, subject, file = ''] = stdout.split('\n')[0]!.split('\t')
    expect([to, kind, subject]).toEqual(['ann@real.example', 'sign-in', expect.stringMatching(/\w/)])
    expect(Date.now() - Date.parse(at!)).toBeLessThan(60_000)
    const [source, decoded] = await Promise.all([mayfly(['outbox', file]), mayfly(['outbox', file, '--text'])])
    expect(source.stdout).toMatch(/^X-Envelope-From: <noreply@mayfly\.test>\r\nX-Envelope-To: <ann@real\.example>\r\n/)
    expect(decoded.stdout).toContain(`\nSubject: ${subject}\n`)
    expect(decoded.stdout).toMatch(/\n\n[^]*\/account\?link=/)
  })

  test('has no other files', async () => {
    const { status, stdout, stderr } = await mayfly(['outbox', '../secret.key'])
    expect([status, stdout, stderr]).toEqual([1, '', 'The outbox has no file "../secret.key"\n'])
  })

  test('keeps emails for some days', async () => {
    await expect.poll(() => existsSync(OLD)).toBe(false)
  })
})
