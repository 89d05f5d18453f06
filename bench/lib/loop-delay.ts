import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into a node with `--import`. On SIGUSR2 it prints the maximum and the 99th percentile of the event loop delay
// since the last time, in milliseconds.
if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  process.on('SIGUSR2', () => {
    process.stderr.write(
      `event-loop-delay ${(delays.max / 1e6).toFixed(1)} ${(delays.percentile(99) / 1e6).toFixed(1)}\n`,
    )
    delays.reset()
  })
}
