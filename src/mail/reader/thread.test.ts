import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { ReaderThread, type ThreadOptions } from './thread.ts'

/** Counts how often it is started, and returns the number of its start as the result of each job. */
const WORKER = `
import { parentPort, workerData } from 'node:worker_threads'
const thread = Atomics.add(workerData, 0, 1) + 1
parentPort.on('message', ({ id }) => parentPort.postMessage({ id, result: thread }))
parentPort.postMessage({ ready: true })
`
const LATEST_START = 2000

let starts: Int32Array
const threads: ReaderThread[] = []

function open(options: Partial<ThreadOptions> = {}): ReaderThread {
  const thread = new ReaderThread({
    entry: new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`),
    workerData: starts,
    timeout: 60_000,
    memory: 64 * 1024 * 1024,
    concurrency: 1,
    queueBytes: 1024 * 1024,
    ...options,
  })
  threads.push(thread)
  return thread
}

/** Runs a job. Returns the number of the thread that ran it: 1 for the first one that started. */
const run = (thread: ReaderThread): Promise<unknown> => start(thread, 0)

beforeEach(() => {
  starts = new Int32Array(new SharedArrayBuffer(4))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(threads.splice(0).map((thread) => thread.close()))
})

test('a thread starts with its first job, and only once', async () => {
  const thread = open()
  expect(await run(thread)).toBe(1)
  vi.advanceTimersByTime(LATEST_START)
  expect(await run(thread)).toBe(1)
  expect(starts[0]).toBe(1)
})

test('a thread without a job starts after two seconds', async () => {
  const thread = open()
  vi.advanceTimersByTime(LATEST_START - 1)
  // Two threads that start one after the other show that a start would have been seen by now.
  for (const other of [1, 2]) expect(await run(open())).toBe(other)
  vi.advanceTimersByTime(1)
  // With faked timers, the poll itself would advance them.
  vi.useRealTimers()
  await expect.poll(() => starts[0]).toBe(3)
  expect(await run(thread)).toBe(3)
})

test('a thread that was closed before its start never starts', async () => {
  const thread = open()
  await thread.close()
  vi.advanceTimersByTime(LATEST_START)
  await expect(run(thread)).rejects.toThrow(MayflyError)
  expect(await run(open())).toBe(1)
  expect(starts[0]).toBe(1)
})

test('an idle thread ends, and another one runs the next job', async () => {
  const thread = open({ idle: 1000 })
  // It starts with its first job and not before: two threads that start meanwhile, one after the other, come first.
  vi.advanceTimersByTime(LATEST_START)
  for (const other of [1, 2]) expect(await run(open())).toBe(other)
  expect(await run(thread)).toBe(3)
  vi.advanceTimersByTime(999)
  expect(await run(thread)).toBe(3)
  vi.advanceTimersByTime(1000)
  expect(await run(thread)).toBe(4)
})

/** Hangs at a message that begins with 1 and exits at one with 2. Answers others when it has three. */
const FRAGILE_WORKER = `
import { parentPort } from 'node:worker_threads'
let waiting = []
parentPort.on('message', ({ id, job }) => {
  while (job.raw[0] === 1);
  if (job.raw[0] === 2) process.exit(1)
  waiting.push(id)
  if (waiting.length < 3) return
  for (const each of waiting) parentPort.postMessage({ id: each, result: each })
  waiting = []
})
parentPort.postMessage({ ready: true })
`
const fragile = (): ReaderThread =>
  open({ entry: new URL(`data:text/javascript,${encodeURIComponent(FRAGILE_WORKER)}`), ahead: 2 })
const HANGS = 1
const EXITS = 2
const start = (thread: ReaderThread, first: number, waited = true): Promise<unknown> =>
  thread.run({ kind: 'report', raw: Uint8Array.of(first) }, { outer: '', inner: '', waited })

test('a job that is no longer wanted does not run, and holds up no other', async () => {
  const thread = open({ concurrency: 1, queueBytes: 1 })
  const [running, waiting, early] = [
    new AbortController(),
    new AbortController(),
    AbortSignal.abort(new Error('early')),
  ]
  const priority = { outer: '', inner: '', waited: true }
  const job = { kind: 'report', raw: new Uint8Array(1) } as const
  const first = thread.run(job, priority, running.signal)
  running.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  await expect(thread.run(job, priority, early)).rejects.toThrow('early')
  const message = new Uint8Array(200_000)
  const fragileThread = fragile()
  await Promise.all(Array.from({ length: 3 }, () => start(fragileThread, 0)))
  const failing = start(fragileThread, HANGS)
  const left = fragileThread.run({ kind: 'report', raw: message }, priority, waiting.signal)
  waiting.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  // Whoever leaves takes its message along.
  message.buffer.transfer(0)
  const others = Array.from({ length: 3 }, () => start(fragileThread, 0))
  vi.advanceTimersByTime(60_000)
  await expect(failing).rejects.toThrow()
  expect(await Promise.all(others)).toHaveLength(3)
  expect([thread.backlog, fragileThread.backlog]).toEqual([0, 0])
})

test('jobs for waiting users wait in the thread, in order', async () => {
  const thread = fragile()
  expect(await Promise.all(Array.from({ length: 6 }, () => start(thread, 0)))).toEqual([0, 1, 2, 3, 4, 5])
})

test('jobs that nobody waits for do not wait in the thread', async () => {
  const thread = fragile()
  await Promise.all(Array.from({ length: 3 }, () => start(thread, 0)))
  const [first, second] = [start(thread, 0, false), start(thread, 0, false)]
  expect(await Promise.all([first, start(thread, 0), start(thread, 0)])).toEqual([3, 4, 5])
  expect(await Promise.all([second, start(thread, 0), start(thread, 0)])).toEqual([6, 7, 8])
})

test.each([
  ['hangs', HANGS],
  ['kills the thread', EXITS],
])('only the job that %s fails, and those that waited behind it run in the next thread', async (_name, fatal) => {
  const thread = fragile()
  await Promise.all(Array.from({ length: 3 }, () => start(thread, 0)))
  const failing = start(thread, fatal)
  const others = Array.from({ length: 3 }, () => start(thread, 0))
  if (fatal === HANGS) vi.advanceTimersByTime(60_000)
  await expect(failing).rejects.toThrow()
  expect(await Promise.all(others)).toHaveLength(3)
})

/** Like the other one, but answers each job a turn later, after all jobs that were sent with it have started. */
const SHARED_WORKER = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ id, job }) => {
  while (job.raw[0] === 1);
  if (job.raw[0] === 2) process.exit(1)
  setTimeout(() => parentPort.postMessage({ id, result: id }))
})
parentPort.postMessage({ ready: true })
`

test.each([
  ['hangs', HANGS],
  ['kills the thread', EXITS],
])('only the job that %s fails, and not those that ran beside it', async (_name, fatal) => {
  const thread = open({ entry: new URL(`data:text/javascript,${encodeURIComponent(SHARED_WORKER)}`), concurrency: 3 })
  await start(thread, 0)
  const before = start(thread, 0)
  const failing = start(thread, fatal)
  const after = start(thread, 0)
  const later = start(thread, 0)
  if (fatal === HANGS) vi.advanceTimersByTime(60_000)
  await expect(before).resolves.toBeTypeOf('number')
  if (fatal === HANGS) vi.advanceTimersByTime(60_000)
  await expect(failing).rejects.toThrow()
  expect(await Promise.all([after, later])).toHaveLength(2)
})
