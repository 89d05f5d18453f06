import { isMainThread } from 'node:worker_threads'

// Loaded into a program before its own code: its calendar goes ahead of the machine's as far as a test says, and its monotonic
// clock with it where the time is to have passed. What it waits for (timers, deadlines) goes on as it did.
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
