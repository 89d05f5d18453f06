import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

/** Returns field 19 of /proc/PID/stat (proc(5)), the nice value. */
const niceOf = (stat: string): number => Number(stat.replace(/.*\) /s, '').split(' ')[16])
const ownStat = (): string => readFileSync('/proc/thread-self/stat', 'latin1')

test.runIf(process.platform === 'linux')('stepBack lowers the priority of its own thread only', async () => {
  const before = niceOf(ownStat())
  const module = new URL('./priority.ts', import.meta.url).href
  const worker = new Worker(
    `import(${JSON.stringify(module)}).then(({ stepBack }) => {
      stepBack()
      const stat = require('node:fs').readFileSync('/proc/thread-self/stat', 'latin1')
      require('node:worker_threads').parentPort.postMessage(stat)
    })`,
    { eval: true },
  )
  const [stat] = (await once(worker, 'message')) as [string]
  await worker.terminate()
  expect(niceOf(stat)).toBe(Math.min(before + 10, 19))
  expect(niceOf(ownStat())).toBe(before)
})
