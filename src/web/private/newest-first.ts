interface Pace {
  /** The number of jobs that run without a pause, then the pause in milliseconds before each further one. */
  burst: number
  pause: number
  wait?: (milliseconds: number) => Promise<void>
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Runs jobs one by one, the highest key first, so that a new message precedes older ones that wait. */
export function newestFirst({ burst, pause, wait = sleep }: Pace) {
  const waiting = new Map<string, () => Promise<void>>()
  let running = false
  let done = 0

  async function run(): Promise<void> {
    running = true
    done = 0
    for (;;) {
      const name = [...waiting.keys()].toSorted().at(-1)
      if (name === undefined) break
      const work = waiting.get(name)
      waiting.delete(name)
      if (++done > burst) await wait(pause)
      await work?.()
    }
    running = false
  }

  return <T>(name: string, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.set(name, () => work().then(resolve, reject))
      if (!running) void run()
    })
}
