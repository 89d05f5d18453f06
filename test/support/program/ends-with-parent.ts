import { isMainThread } from 'node:worker_threads'

// Loaded into a program before its code: stops it as soon as the process that started it is gone.
if (isMainThread) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}
