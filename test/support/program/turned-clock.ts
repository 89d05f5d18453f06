import { isMainThread } from 'node:worker_threads'

// Loaded into a program before its code: sets its calendar clock ahead as far as a test says. Timers and deadlines are
// not affected.
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
