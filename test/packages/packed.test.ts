import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const source = join(import.meta.dirname, '../../packages/client')
const directory = mkdtempSync(join(tmpdir(), 'mayfly-package-'))
afterAll(() => rmSync(directory, { recursive: true }))

test('the packed files work without the repository', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', directory], { cwd: source, encoding: 'utf8' }),
  ) as { filename: string; files: { path: string }[] }[]
  expect(packed!.files.map(({ path }) => path.replace(/^dist\/\w+\.(?:d\.ts|js)$/, 'dist'))).toEqual(
    expect.arrayContaining(['README.md', 'package.json', 'dist']),
  )
  expect(
    packed!.files.filter(({ path }) => !/^(?:README\.md|package\.json|dist\/\w+\.(?:d\.ts|js))$/.test(path)),
  ).toEqual([])
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', join(directory, packed!.filename)], {
    cwd: directory,
    encoding: 'utf8',
  })
  writeFileSync(
    join(directory, 'use.js'),
    `import * as client from '@mayfly/client'; console.log(Object.keys(client).join())`,
  )
  expect(execFileSync(process.execPath, ['use.js'], { cwd: directory, encoding: 'utf8' }).trim()).toBe(
    'Inbox,MayflyError,WaitTimeoutError,createInbox,openInbox',
  )
})
