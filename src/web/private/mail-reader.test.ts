import { Worker as Thread } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../api/api.ts'
import { deriveKeys, newSecret } from './keys.ts'
import { createPrivateReader } from './mail-reader.ts'

/** A fake worker. The sealed bytes decide whether it replies, hangs, fails or dies. */
const SCRIPT = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ sealed: [how], plain, job }) => {
  if (plain || how === 0) return parentPort.postMessage({ result: (plain ? 'headers of ' : 'all of ') + job.kind })
  if (how === 1) for (;;);
  if (how === 2) return parentPort.postMessage({ error: 'over a limit' })
  process.exit(1)
})
parentPort.postMessage({ ready: true })
`
const [FINE, HANGS, FAILS, DIES] = [0, 1, 2, 3].map((how) => Uint8Array.of(how)) as [any, any, any, any]

const threads: Thread[] = []
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.terminate()))
})

/** A worker thread of Node with the interface of a browser's Worker. */
function start(script = SCRIPT): Worker {
  const thread = new Thread(script, { eval: true })
  threads.push(thread)
  const wrapped = new Map<unknown, (...args: any[]) => void>()
  return {
    addEventListener(name: string, listener: (event: unknown) => void) {
      wrapped.set(listener, (data) => listener({ data }))
      thread.on(name === 'error' ? 'exit' : name, wrapped.get(listener)!)
      if (name === 'error') thread.on('error', () => {})
    },
    removeEventListener(name: string, listener: unknown) {
      thread.off(name === 'error' ? 'exit' : name, wrapped.get(listener)!)
    },
    postMessage: (message: object) => thread.postMessage({ ...message, keys: undefined }),
    terminate: () => void thread.terminate(),
  } as unknown as Worker
}
const { keys } = await deriveKeys(newSecret())
const place = { kind: 'body', addressId: 'address', messageId: 'message', at: 0 } as const
const shared = createPrivateReader(keys, { timeout: 1000, start: () => start() })

test('reads messages in sequence, even if one hangs, fails or kills the worker', async () => {
  const jobs = [FINE, HANGS, FINE, FAILS, FINE, DIES, FINE].map((sealed) =>
    shared.run({ kind: 'source' }, place, sealed),
  )
  expect(await Promise.all(jobs)).toEqual([
    'all of source',
    'headers of source',
    'all of source',
    'headers of source',
    'all of source',
    'headers of source',
    'all of source',
  ])
  // The first hung, the second died, the third served the last job.
  expect(threads).toHaveLength(3)
})

test('rejects if the worker cannot start, and starts it again for the next job', async () => {
  let available = false
  const reader = createPrivateReader(keys, { start: () => start(available ? SCRIPT : 'process.exit(1)') })
  const failure: unknown = await reader.run({ kind: 'source' }, place, FINE).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiError)
  available = true
  expect(await reader.run({ kind: 'source' }, place, FINE)).toBe('all of source')
})

test('rejects waiting jobs and terminates the worker when it is closed', async () => {
  const reader = createPrivateReader(keys, { start: () => start() })
  await reader.run({ kind: 'source' }, place, FINE)
  const waiting = [reader.run({ kind: 'source' }, place, HANGS), reader.run({ kind: 'source' }, place, FINE)]
  const exit = new Promise((resolve) => threads[0]!.once('exit', resolve))
  reader.close()
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await exit
  expect(threads).toHaveLength(1)
})
