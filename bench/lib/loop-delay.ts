import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** Loaded into a node by `--import`: at SIGUSR2 it writes how long its main thread stood still at most since the last time, in milliseconds. */
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
