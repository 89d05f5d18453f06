import { isMainThread } from 'node:worker_threads'

// Loaded into a program before its own code: its calendar goes ahead of the machine's as far as a test says. What it waits for
// (timers, deadlines) goes on as it did.
const machine = Date.now
let ahead = 0
Date.now = () => machine() + ahead

if (isMainThread) {
  process.on('message', (milliseconds: number) => {
    ahead = milliseconds
    process.send?.(milliseconds)
  })
  process.channel?.unref()
}
