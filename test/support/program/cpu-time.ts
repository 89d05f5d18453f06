/** CPU time that this thread takes to run a function, in milliseconds. Wall time would also count other processes. */
export function cpuTime(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
