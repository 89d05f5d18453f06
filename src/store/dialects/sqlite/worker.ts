import { type MessagePort, parentPort, receiveMessageOnPort, type Transferable, workerData } from 'node:worker_threads'
import { freeBytes } from '#core/memory-budget.ts'
import { classify } from './errors.ts'
import { type Answer, decode, type Job, type Request, type Response, type StatementResult } from './protocol.ts'
import { openSession, type Session, type SessionOptions } from './session.ts'

/** A group of jobs shares one commit; it ends with the job that brings it to so many statements. */
const STATEMENTS_TOGETHER = 2000
/**
 * Results from this size on are moved to the other thread, smaller ones are copied: each move has a price of its own.
 */
const MOVED_FROM = 64 * 1024

const port = parentPort as MessagePort
const options = workerData as SessionOptions
/** How often it is looked whether what is read from is still in place, in milliseconds. */
const READ_LOOK_INTERVAL = 100

let session: Session | undefined
let lookedAt = -Infinity

/** Opened with the first job and again after a failure, so that a job hears why it can't be done. */
function connection(): Session {
  session ??= openSession(options)
  return session
}

function runAll(job: Job): StatementResult[] {
  return job.statements.map((statement) => connection().run(statement))
}

function runInTransaction(jobs: readonly Job[]): Answer[] {
  const { begin, commit, rollback } = connection()
  begin(options.readOnly ? 'deferred' : 'immediate')
  try {
    const answers = jobs.map((job) => ({ id: job.id, results: runAll(job) }))
    commit()
    // Nobody is told that something is stored in files that nobody finds again.
    ensureInPlace()
    return answers
  } catch (error) {
    rollback()
    throw error
  }
}

function runAlone(job: Job): Answer[] {
  const results = runAll(job)
  ensureInPlace()
  return [{ id: job.id, results }]
}

/**
 * For each commit, which costs far more than the look at the files; a read would cost twice as much, so it is for some
 * of them.
 */
function ensureInPlace(): void {
  if (options.readOnly && performance.now() - lookedAt < READ_LOOK_INTERVAL) return
  connection().ensureInPlace()
  lookedAt = performance.now()
}

function attempt(jobs: readonly Job[], run: () => Answer[]): Answer[] {
  try {
    return run()
  } catch (error) {
    const cause = classify(error)
    // It may have failed because of one of them, then each hears of itself only; or nothing goes, then none is tried
    // again.
    if (jobs.length > 1 && cause.code !== 'store_unavailable' && cause.code !== 'moved') {
      return jobs.flatMap((job) => attempt([job], () => runInTransaction([job])))
    }
    return jobs.map(({ id }) => ({ id, error: cause }))
  }
}

function* groups(jobs: readonly Job[]): Generator<Job[]> {
  let group: Job[] = []
  let statements = 0
  for (const job of jobs) {
    if (group.length > 0 && (job.mode === 'direct' || statements >= STATEMENTS_TOGETHER)) {
      yield group
      group = []
      statements = 0
    }
    if (job.mode === 'direct') {
      yield [job]
      continue
    }
    group.push(job)
    statements += job.statements.length
  }
  if (group.length > 0) yield group
}

function runGroup(group: readonly Job[]): Answer[] {
  const [first] = group
  // A single read is a snapshot by itself.
  const alone =
    first && group.length === 1 && (first.mode === 'direct' || (options.readOnly && first.statements.length === 1))
  if (alone) return attempt(group, () => runAlone(first))
  return attempt(group, () => runInTransaction(group))
}

function respond(answers: Answer[]): void {
  const wal = options.readOnly ? undefined : session?.walState()
  const response: Response = wal ? { answers, wal } : { answers }
  const moved: Transferable[] = []
  for (const answer of answers) {
    if (!('results' in answer)) continue
    for (const result of answer.results) if (typeof result !== 'number') collectLarge(result, moved)
  }
  port.postMessage(response, moved)
}

function collectLarge(rows: Exclude<StatementResult, number>, into: Transferable[]): void {
  for (const row of rows) {
    for (const value of Object.values(row)) {
      if (value instanceof Uint8Array && value.length >= MOVED_FROM) into.push(value.buffer as ArrayBuffer)
    }
  }
}

port.on('message', (first: Request | 'close') => {
  const jobs: Job[] = []
  const requests: Request[] = []
  // All that waits by now shares the next commit.
  for (let next: Request | 'close' | undefined = first; next; next = receiveMessageOnPort(port)?.message) {
    if (next === 'close') {
      for (const group of groups(jobs)) respond(runGroup(group))
      session?.close()
      port.close()
      return
    }
    requests.push(next)
    jobs.push(...decode(next))
  }
  for (const group of groups(jobs)) respond(runGroup(group))
  for (const { blobs } of requests) freeBytes(blobs)
})
