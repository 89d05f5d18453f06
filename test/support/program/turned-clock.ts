import { isMainThread } from 'node:worker_threads'

// Loaded into a program before its code: sets its calendar clock ahead as far as a test says, and the monotonic clock with
// it if the time is to have passed. Timers and deadlines are not affected.
const machine = Date.now
const monotonic = performance.now.bind(performance)
let ahead = 0
let passed = 0
Date.now = () => machine() + ahead
performance.now = () => monotonic() + passed

if (isMainThread) {
  process.on('message', (turn: { ahead: number; passed: number }) => {
    ;({ ahead, passed } = turn)
    process.send?.(turn)
  })
  process.channel?.unref()
}
