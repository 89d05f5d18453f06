import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore } from '../../store.ts'
import { claimed, key, NOW } from '../../suite/fixtures.ts'
import { openIn, temporaryDirectory } from './fixtures.ts'

let directory: string

beforeEach(async () => {
  directory = await temporaryDirectory()
})

afterEach(() => rm(directory, { recursive: true }))

function start(
  script: string,
  ...parameters: string[]
): { child: ChildProcessByStdio<Writable, Readable, null>; lines: Interface } {
  const path = new URL(script, import.meta.url).pathname
  const child = spawn(process.execPath, [path, directory, ...parameters], { stdio: ['pipe', 'pipe', 'inherit'] })
  return { child, lines: createInterface(child.stdout) }
}

test('loses no acknowledged message when a process is killed', async () => {
  const before = await openIn(directory)
  const { id: addressId } = await claimed(createStore(before), { expiresAt: 9e15 })
  await before.close()
  const ledger: string[] = []

  for (let round = 0; round < 5; round++) {
    const { child, lines } = start('./appender.fixture.ts', addressId, String(round * 1_000_000))
    const goal = ledger.length + 100 + round * 37
    const ended = Promise.all([once(child, 'exit'), once(lines, 'close')])
    lines.on('line', (line) => {
      const [id = '', outcome] = line.split(' ')
      expect(outcome).toBe('stored')
      ledger.push(id)
      if (ledger.length === goal) child.kill('SIGKILL')
    })
    const [[, signal]] = await ended
    expect(signal).toBe('SIGKILL')
  }

  const database = await openIn(directory)
  const { messages, addresses } = createStore(database)
  const rows = await messages.list(addressId, { now: NOW, limit: 100_000 })
  const stored = new Set(rows.map(({ id }) => id))
  expect(ledger.length).toBeGreaterThanOrEqual(500)
  expect(ledger.filter((id) => !stored.has(id))).toEqual([])
  const row = await addresses.find(addressId, NOW)
  expect([row?.usedBytes, row?.revision]).toEqual([rows.length, rows.length])
  const bodies = await Promise.all(rows.map((each) => messages.body(each)))
  expect(bodies.every((body, i) => Buffer.from(body ?? []).toString('latin1', 0, 26) === rows[i]?.id)).toBe(true)
  expect(await database.threads.writer.run('direct', [{ sql: 'pragma integrity_check', parameters: [] }])).toEqual([
    [{ integrity_check: 'ok' }],
  ])
  await database.close()
})

test('gives each name to one of two processes that claim it at once', async () => {
  const names = Array.from({ length: 200 }, key)
  const processes = [start('./claimer.fixture.ts'), start('./claimer.fixture.ts')]
  await Promise.all(processes.map(({ lines }) => once(lines, 'line')))
  const answers = processes.map(({ child, lines }) => {
    child.stdin.write(names.join(' '))
    return once(lines, 'line')
  })
  const won = (await Promise.all(answers)).map(([line]) => JSON.parse(String(line)) as string[])
  expect(won.flat().toSorted()).toEqual(names.toSorted())
  const database = await openIn(directory)
  expect((await createStore(database).stats(NOW)).addresses).toBe(names.length)
  await database.close()
})
