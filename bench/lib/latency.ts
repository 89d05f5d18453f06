import { percentile } from '../../test/load/percentile.ts'

/** Runs `work` `count` times, `lanes` at a time. Returns the percentiles in milliseconds. */
export async function latencies(count: number, lanes: number, work: (index: number) => Promise<unknown>) {
  const durations: number[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) {
        const start = performance.now()
        await work(next++)
        durations.push(performance.now() - start)
      }
    }),
  )
  const sorted = durations.toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max: sorted.at(-1) ?? 0 }
}
