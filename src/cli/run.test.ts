import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { CommandServices } from './command.ts'
import { mayfly } from './testing.ts'

test('find-code prints what is found in a file, and reports a missing one', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'mayfly-cli-')), 'a.eml')
  await writeFile(file, 'Subject: Hello\r\n\r\nYour code is 482913\r\n')
  const { status, out } = await mayfly(['find-code', file])
  expect([status, out]).toEqual([0, ['Subject: Hello\r\n\r\nYour code is 482913\r\n']])
  expect(await mayfly(['find-code', `${file}.gone`])).toMatchObject({
    status: 1,
    errors: [expect.stringContaining('ENOENT')],
  })
  for (const args of [[], [file, file], [''], ['--bogus']])
    expect(await mayfly(['find-code', ...args])).toMatchObject({ status: 2 })
})

test('check prints warnings, and opens no service', async () => {
  const checkSettings = async () => ['The site has no name']
  const { status, out } = await mayfly(['check'], () => Promise.reject(new Error('opened')), { checkSettings })
  expect([status, out]).toEqual([0, ['warn The site has no name', 'The settings can be used']])
  const failing = () => Promise.reject(new Error('MAYFLY_X is wrong'))
  expect(await mayfly(['check'], undefined, { checkSettings: failing })).toMatchObject({
    status: 1,
    errors: ['MAYFLY_X is wrong'],
  })
})

test('stats prints each number in its column', async () => {
  const services = {
    stats: async () => ({ addresses: 1, names: 22, messages: 333, bytes: 4444, fileBytes: 55_555 }),
    close: async () => {},
  } as unknown as CommandServices
  const { out } = await mayfly(['stats'], undefined, { open: async () => services })
  expect(out.map((line) => line.search(/ \d/))).toEqual(Array(5).fill(22))
})

test.each([[[]], [['--help']], [['-h']]])('%j prints commands and settings', async (argv) => {
  const { status, out, errors } = await mayfly(argv)
  expect([status, errors]).toEqual([0, []])
  for (const part of [
    'start',
    'send-test ADDRESS',
    'operator-mail [ID]',
    'outbox [FILE]',
    'dns [DOMAIN]',
    'doctor [DOMAIN]',
    'stats',
    'backup FILE',
    'restore FILE',
    'grant EMAIL --days N [--language CODE] | revoke ID | refund ID PAYMENT',
    '--version',
    'MAYFLY_SMTP_PORT',
  ])
    expect(out.join('\n')).toContain(part)
})

test('--help settings prints the settings and --help limits the limits, each alone', async () => {
  expect((await mayfly(['--help', 'settings'])).out).toEqual(['  MAYFLY_SPF'])
  expect((await mayfly(['--help', 'limits'])).out).toEqual(['  MAYFLY_SWEEP_SECONDS'])
})

test.each(
  'start new wait open mcp send-test find-code operator-mail outbox dns doctor check stats backup restore addresses subscriptions keys webhooks'
    .split(' ')
    .flatMap((name) => [
      [name, '--help'],
      [name, 'x', '-h'],
    ])
    .map((argv) => [argv]),
)('%j prints the usage of the command, and does nothing else', async (argv) => {
  const { status, out, errors, started } = await mayfly(argv)
  expect([status, errors, started]).toEqual([0, [], 0])
  expect(out).toEqual([expect.stringMatching(new RegExp(`^Usage: mayfly ${argv[0]}\\b.*\n\n[A-Z]`))])
})

test('--version prints nothing but the version', async () =>
  expect(await mayfly(['--version'])).toEqual({ status: 0, out: ['1.2.3'], errors: [], started: 0 }))

test('start runs the service', async () => expect(await mayfly(['start'])).toMatchObject({ status: 0, started: 1 }))

test.each([
  [['strat'], 'strat'],
  [[''], '""'],
  [['--verbose'], '--verbose'],
  [['constructor'], 'constructor'],
  [['__proto__'], '__proto__'],
  [['start', 'now'], 'Usage: mayfly start'],
  [['start', '--ephemera'], 'Usage: mayfly start'],
  [['wait'], 'Usage: mayfly wait ADDRESS'],
  [['wait', 'a@b.example', '--code', '--link'], 'Usage: mayfly wait ADDRESS'],
  [['wait', 'a@b.example', '--timeout', '-1'], '--timeout must be seconds from 0 to 86400'],
  [['wait', 'a@b.example', '--timeout=-1'], '--timeout must be seconds from 0 to 86400'],
  [['wait', 'a@b.example', '--timeout', '86401'], '--timeout must be seconds from 0 to 86400'],
  [['wait', 'a@b.example', '--since', 'yesterday'], '--since must be a time such as 2026-01-31T09:00:00Z'],
  [['wait', 'a@b.example', '--since', '2026-02-30T00:00:00Z'], '--since must be a time'],
  [['keys'], 'Usage: mayfly keys'],
  [['keys', 'create'], 'Usage: mayfly keys'],
  [['keys', 'list', 'x'], 'Usage: mayfly keys'],
  [['webhooks', 'drop', 'x'], 'Usage: mayfly webhooks'],
  [['send-test'], 'Usage: mayfly send-test'],
  [['send-test', 'a@b.example', 'c@d.example'], 'Usage: mayfly send-test'],
  [['send-test', 'a@b.example', '--port', 'x'], '--port'],
  [['send-test', 'a@b.example', '--port', '0'], '--port'],
  [['send-test', 'a@b.example', '--port', '65536'], '--port'],
  [['send-test', 'a@b.example', '--prot', '1'], '--prot'],
  ...['backup', 'restore'].flatMap((name): [string[], string][] =>
    [[], [''], ['--all'], ['a', 'b']].map((args) => [[name, ...args], `Usage: mayfly ${name} FILE`]),
  ),
  [['stats', '--all'], 'Usage: mayfly stats'],
  [['operator-mail', 'a', 'b'], 'Usage: mayfly operator-mail'],
  [['operator-mail', '--all'], 'Usage: mayfly operator-mail'],
  [['operator-mail', '--text'], 'Usage: mayfly operator-mail'],
  [['operator-mail', 'delete'], 'Usage: mayfly operator-mail'],
  [['operator-mail', 'delete', 'a', '--text'], 'Usage: mayfly operator-mail'],
  [['outbox', 'a', 'b'], 'Usage: mayfly outbox'],
  [['outbox', '--all'], 'Usage: mayfly outbox'],
  [['outbox', '--text'], 'Usage: mayfly outbox'],
  [['dns', 'a.example', 'b.example'], 'Usage: mayfly dns'],
  [['dns', 'mayfly'], 'Usage: mayfly dns'],
  [['dns', '--all'], 'Usage: mayfly dns'],
  [['doctor', 'a b.example'], 'Usage: mayfly doctor'],
  [['check', 'all'], 'Usage: mayfly check'],
  ...[[], ['list'], ['remove'], ['remove', 'a@b.example', 'c@d.example']].map((args): [string[], string] => [
    ['addresses', ...args],
    'Usage: mayfly addresses remove ADDRESS [--days N]',
  ]),
  [['addresses', 'remove', 'a@b.example', '--days', '0'], '--days'],
  [['addresses', 'remove', 'a@b.example', '--weeks', '1'], '--weeks'],
  [['subscriptions', 'end'], 'Usage: mayfly subscriptions'],
  [['subscriptions'], 'Usage: mayfly subscriptions list | show EMAIL-or-ID | grant EMAIL --days N'],
  [['subscriptions', 'toString'], 'Usage: mayfly subscriptions'],
  [['subscriptions', 'list', 'all'], 'Usage: mayfly subscriptions'],
  [['subscriptions', 'list', '--days', '1'], 'Usage: mayfly subscriptions'],
  [['subscriptions', 'show'], 'Usage: mayfly subscriptions'],
  [['subscriptions', 'refund', 'a'], 'Usage: mayfly subscriptions'],
  [['subscriptions', 'grant', 'a@b.example'], '--days'],
  [['subscriptions', 'grant', 'a@b.example', '--days', '0'], '--days'],
  [['subscriptions', 'grant', 'a@b.example', '--days', '36501'], '--days'],
  [['subscriptions', 'grant', 'a@b.example', '--days', '1.5'], '--days'],
  [['subscriptions', 'grant', 'a@b.example', '--hours', '1'], '--hours'],
  [
    ['subscriptions', 'grant', 'a@b.example', '--days', '3', '--language', 'xx'],
    '--language must be one of zh, en, de',
  ],
])('%j exits with 2 and prints one line', async (argv, part) => {
  const { status, out, errors, started } = await mayfly(argv)
  expect([status, out, errors.length, started]).toEqual([2, [], 1, 0])
  expect(errors[0]).toContain(part)
  expect(errors[0]).not.toContain('\n')
})

test('wait accepts every time that the API accepts, such as a leap second', async () => {
  const { status, errors } = await mayfly(['wait', 'a@b.example', '--since', '2016-12-31T23:59:60Z'])
  expect([status, errors]).toEqual([1, ['mayfly new did not create a@b.example on this computer']])
})

test.each([
  [['stats']],
  [['operator-mail']],
  [['outbox']],
  [['dns']],
  [['doctor', 'a.example']],
  [['subscriptions', 'list']],
  [['send-test', 'a@b.example']],
])('%j exits with 1 and prints one line if it fails', async (argv) => {
  const { status, out, errors } = await mayfly(argv)
  expect([status, out, errors.length]).toEqual([1, [], 1])
  expect(errors[0]).not.toContain('\n')
})

test.each([['keys'], ['webhooks']])('%s refuses a public site, whose services are not opened', async (name) =>
  expect(await mayfly([name, 'list'], undefined, { isPublic: true })).toMatchObject({
    status: 1,
    errors: [
      `mayfly ${name} works only if MAYFLY_PUBLIC_URL is http or localhost. On a public site, subscribers use their account`,
    ],
  }),
)

test('prints the message of a MayflyError', async () =>
  expect((await mayfly(['stats'], () => Promise.reject(new MayflyError('store_unavailable')))).errors).toEqual([
    'The store cannot write',
  ]))

test('prints the cause of a store failure in the same line', async () => {
  const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  const error = new MayflyError('store_unavailable', undefined, { cause })
  expect((await mayfly(['stats'], () => Promise.reject(error))).errors).toEqual([
    'The store cannot write: ECONNREFUSED',
  ])
})
