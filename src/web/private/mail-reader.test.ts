import { Worker as Thread } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../api/api.ts'
import { deriveKeys, newSecret } from './keys.ts'
import { createPrivateReader } from './mail-reader.ts'

/** As the real one, but that it hangs, fails or dies as the sealed bytes say. */
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

/** A thread of Node with the face of one of a browser. */
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
const read = createPrivateReader(keys, { timeout: 1000, start: () => start() })

test('mails are read one after the other, whatever one of them does', async () => {
  const jobs = [FINE, HANGS, FINE, FAILS, FINE, DIES, FINE].map((sealed) => read.run({ kind: 'source' }, place, sealed))
  expect(await Promise.all(jobs)).toEqual([
    'all of source',
    'headers of source',
    'all of source',
    'headers of source',
    'all of source',
    'headers of source',
    'all of source',
  ])
  // One that hung, one that died, and the last.
  expect(threads).toHaveLength(3)
})

test('where the thread can not be had it is said so, and tried again', async () => {
  let there = false
  const own = createPrivateReader(keys, { start: () => start(there ? SCRIPT : 'process.exit(1)') })
  const refused: unknown = await own.run({ kind: 'source' }, place, FINE).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiError)
  there = true
  expect(await own.run({ kind: 'source' }, place, FINE)).toBe('all of source')
})

test('once closed it reads no more, and leaves no thread behind', async () => {
  const own = createPrivateReader(keys, { start: () => start() })
  await own.run({ kind: 'source' }, place, FINE)
  const waiting = [own.run({ kind: 'source' }, place, HANGS), own.run({ kind: 'source' }, place, FINE)]
  const exit = new Promise((resolve) => threads[0]!.once('exit', resolve))
  own.close()
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await exit
  expect(threads).toHaveLength(1)
})
