import { type MessagePort, parentPort, receiveMessageOnPort, type Transferable, workerData } from 'node:worker_threads'
import { freeBytes } from '#core/memory-budget.ts'
import { classify } from './errors.ts'
import { type Answer, decode, type Job, type Request, type Response, type StatementResult } from './protocol.ts'
import { openSession, type Session, type SessionOptions } from './session.ts'

/** A group of jobs shares one commit. The job that reaches this number of statements ends the group. */
const STATEMENTS_TOGETHER = 2000
/**
 * Result bytes from this size on are transferred to the main thread. Smaller ones are copied, because each transfer has
 * a fixed cost.
 */
const MOVED_FROM = 64 * 1024

const port = parentPort as MessagePort
const options = workerData as SessionOptions
/** How often a reader checks that its files are in place, in milliseconds. */
const READ_LOOK_INTERVAL = 100

let session: Session | undefined
let lookedAt = -Infinity

/** The connection is opened with the first job and again after a failure, so that the job gets the error. */
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
    // Must not acknowledge data in files that are no longer reachable.
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
 * Runs after each commit, which costs far more than this check. It would double the cost of a read, so readers do it
 * only at an interval.
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
    // If one job of the group caused the error, running each alone separates it: its statement may be wrong, need more
    // space than is left, or need a damaged page. If the store can't work at all, nothing is retried.
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
  // A single read statement is a snapshot by itself.
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
  // All requests that are waiting by now share the next commit.
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
