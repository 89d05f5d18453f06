import { expect, onTestFinished, test, vi } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { createDispatcher, type DispatcherDeps } from './dispatcher.ts'

interface Job {
  to: string
  done: PromiseWithResolvers<void>
}

const newJob = (to = 'relay'): Job => ({ to, done: Promise.withResolvers() })

function open(deps: Partial<DispatcherDeps<Job>> = {}) {
  const due: Job[] = []
  const started: Job[] = []
  const logger = { debug() {}, info: vi.fn<() => void>(), warn() {}, error: vi.fn<() => void>() }
  const dispatcher = createDispatcher<Job>({
    name: 'jobs',
    logger,
    take: async ({ limit, except }) => {
      const taken = due.filter(({ to }) => !except.includes(to)).slice(0, limit)
      for (const job of taken) due.splice(due.indexOf(job), 1)
      return taken
    },
    destination: ({ to }) => to,
    run: async (job) => {
      started.push(job)
      await job.done.promise
    },
    onLook: async () => {},
    maxAtOnce: 2,
    maxPerDestination: 2,
    ...deps,
  })
  return { dispatcher, due, started, logger }
}

test('runs up to maxAtOnce jobs at once, and takes the next one when a job ends', async () => {
  const { dispatcher, due, started } = open()
  const jobs = [newJob(), newJob(), newJob()]
  due.push(...jobs)
  dispatcher.start()
  await vi.waitFor(() => expect(started).toEqual(jobs.slice(0, 2)), PATIENCE)
  jobs[1]!.done.resolve()
  await vi.waitFor(() => expect(started).toEqual(jobs), PATIENCE)
  for (const { done } of jobs) done.resolve()
  await dispatcher.stop(60_000)
})

test('runs nothing before it is started', async () => {
  const { dispatcher, due, started } = open()
  due.push(newJob())
  dispatcher.wake()
  await dispatcher.stop(60_000)
  expect(started).toEqual([])
})

test('a stop waits for a job that is being taken', async () => {
  const taking = Promise.withResolvers<Job[]>()
  const { dispatcher, started } = open({ take: () => taking.promise })
  const job = newJob()
  dispatcher.start()
  const stopped = vi.fn<() => void>()
  const stopping = dispatcher.stop(60_000).then(stopped)
  taking.resolve([job])
  await vi.waitFor(() => expect(started).toEqual([job]), PATIENCE)
  expect(stopped).not.toHaveBeenCalled()
  job.done.resolve()
  await stopping
})

test('logs a job whose result is not stored, and continues', async () => {
  const { dispatcher, due, started, logger } = open()
  const [failing, next] = [newJob(), newJob()]
  due.push(failing)
  dispatcher.start()
  failing.done.reject(new Error('disk full'))
  await vi.waitFor(() => expect(logger.error).toHaveBeenCalledOnce(), PATIENCE)
  due.push(next)
  dispatcher.wake()
  await vi.waitFor(() => expect(started).toEqual([failing, next]), PATIENCE)
  next.done.resolve()
  await dispatcher.stop(60_000)
})

test('a store that is unavailable is reported when the trouble starts and ends, without stack traces', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const fault = new MayflyError('store_unavailable', undefined, { cause: new Error('database files are missing') })
  let isFaulty = true
  const work = async (): Promise<never[]> => {
    if (isFaulty) throw fault
    return []
  }
  const { dispatcher, logger } = open({ take: work, onLook: async () => void (await work()) })
  dispatcher.start()
  for (let looks = 0; looks < 5; looks++) {
    dispatcher.wake()
    await vi.advanceTimersByTimeAsync(2000)
  }
  const lines = [[{ error: 'store_unavailable: database files are missing' }, 'jobs failed']]
  expect(logger.error.mock.calls).toEqual(lines)
  isFaulty = false
  dispatcher.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(logger.info.mock.calls).toEqual([])
  await vi.advanceTimersByTimeAsync(6000)
  expect(logger.error.mock.calls).toEqual(lines)
  expect(logger.info.mock.calls).toEqual([[{}, 'jobs: jobs run again']])
  await dispatcher.stop(0)
})

test('results that can’t be stored because of the store are part of the same trouble', async () => {
  const run = () => Promise.reject(new MayflyError('disk_full'))
  const { dispatcher, due, logger } = open({ run, maxAtOnce: 4, maxPerDestination: 4 })
  due.push(newJob(), newJob(), newJob())
  dispatcher.start()
  await vi.waitFor(() => expect(logger.error).toHaveBeenCalled(), PATIENCE)
  await dispatcher.stop(60_000)
  expect([due, logger.error.mock.calls]).toEqual([[], [[{ error: 'disk_full' }, 'jobs failed']]])
})

test('another error has its stack trace', async () => {
  const error = new Error('a bug')
  const { dispatcher, logger } = open({ onLook: () => Promise.reject(error) })
  dispatcher.start()
  await vi.waitFor(() => expect(logger.error.mock.calls).toEqual([[{ err: error }, 'jobs failed']]), PATIENCE)
  await dispatcher.stop(0)
})
