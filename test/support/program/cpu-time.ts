/** Milliseconds that this thread computes to do something: the time that passes is longer where others compute, too. */
export function cpuTime(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
