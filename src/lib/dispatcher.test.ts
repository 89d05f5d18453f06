import { expect, test, vi } from 'vitest'
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
  const logger = { debug() {}, info() {}, warn() {}, error: vi.fn<() => void>() }
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
