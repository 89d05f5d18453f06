import { onLeave, type PageProblem, problemOf } from '../api/api.ts'
import { getBars, setBars } from '../app/bars.ts'

/** How long a deletion can be undone, in milliseconds. Until then nothing is deleted on the server. */
export const UNDO = 8000

/** How many messages one call deletes at most; the same as in the contract. */
const DELETED_AT_ONCE = 100

/** The longest time in milliseconds for which a deletion waits because there were too many calls. */
const LONGEST_WAIT = 2000

/** The pauses before the tries, in milliseconds. */
const TRIES = [0, 1000, 2000]

/** After so many milliseconds in calls that failed, there is no further one: whoever leaves the page waits for them. */
const LONGEST_FAILING = 10_000

/** Deletes messages on the server. `keepalive`: the page is being left, and the request must outlive it. */
type Commit = (ids: string[], keepalive: boolean) => Promise<unknown>

interface Batch {
  /** The messages that are not deleted yet. */
  ids: string[]
  commit: Commit
  timer?: ReturnType<typeof setTimeout>
  /** Whether the page is being left: all is sent at once. */
  leaving: boolean
}

/** A deletion that failed on the server. */
export interface Failure {
  /** How many messages are shown again. */
  count: number
  problem: PageProblem
}

/** The deletions that can be undone. */
const batches = new Set<Batch>()
/** Whether the visitor points at the bar or has focused it: time does not run out meanwhile (WCAG 2.2.1). */
let held = false
let onFailure: (failure: Failure) => void = () => {}

function show(): void {
  // The bar disappears, and no event says that the pointer or the focus left it.
  if (batches.size === 0) held = false
  setBars({ undoable: [...batches].flatMap(({ ids }) => ids) })
}

/** Shows messages again. Those that were deleted stay hidden: a list may have been loaded before, and ids are never reused. */
const showAgain = (ids: readonly string[]): void =>
  setBars({ pending: new Set([...getBars().pending].filter((id) => !ids.includes(id))) })

/** The deletions that the server is carrying out. */
const running = new Map<Batch, Promise<void>>()

const start = (batch: Batch): void =>
  void running.set(
    batch,
    carryOut(batch).finally(() => running.delete(batch)),
  )

function commit(batch: Batch, leaving = false): void {
  clearTimeout(batch.timer)
  if (!batches.delete(batch)) return
  show()
  start({ ...batch, leaving })
}

async function carryOut(batch: Batch): Promise<void> {
  const { leaving } = batch
  const remove = async (part: string[]): Promise<void> => {
    await batch.commit(part, leaving)
    batch.ids = batch.ids.filter((id) => !part.includes(id))
  }
  /** Whether the rest was sent again with requests that outlive the page. */
  const isReplaced = (): boolean => batch.leaving !== leaving
  try {
    if (!leaving) return await inTurn(batch, remove, isReplaced)
    const failed = (await Promise.allSettled(parts(batch).map(remove))).find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
  } catch (error) {
    if (isReplaced()) return
    onFailure({ count: batch.ids.length, problem: problemOf(error) })
    showAgain(batch.ids)
  }
}

const parts = ({ ids }: Batch): string[][] =>
  Array.from({ length: Math.ceil(ids.length / DELETED_AT_ONCE) }, (_, i) =>
    ids.slice(i * DELETED_AT_ONCE, (i + 1) * DELETED_AT_ONCE),
  )

/**
 * Deletes one part after the other, because the server limits how many calls a visitor makes at once. Goes on after a failure
 * that may pass, and then tries again what is left: whatever was deleted may be deleted again.
 */
async function inTurn(
  batch: Batch,
  remove: (part: string[]) => Promise<void>,
  isReplaced: () => boolean,
): Promise<void> {
  let failing = 0
  let failure: unknown
  for (const pause of TRIES) {
    if (pause > 0) await wait(pause)
    for (const part of parts(batch)) {
      if (isReplaced()) return
      const began = Date.now()
      try {
        await withinLimit(() => remove(part))
      } catch (error) {
        failing += Date.now() - began
        if (!isPassing(error) || failing > LONGEST_FAILING) throw error
        failure = error
      }
    }
    if (batch.ids.length === 0) return
  }
  throw failure
}

const wait = async (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const isPassing = (error: unknown): boolean =>
  /^(?:offline|internal|unavailable|store_unavailable)$/.test(problemOf(error).code)

/** Repeats a call that the server refused only for a short time. */
async function withinLimit(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code, retryAfter = Infinity } = problemOf(error)
    const pause = retryAfter * 1000
    if (code !== 'too_many_requests' || pause > LONGEST_WAIT) throw error
    await wait(pause)
    await withinLimit(work)
  }
}

function arm(batch: Batch, milliseconds: number): void {
  clearTimeout(batch.timer)
  batch.timer = setTimeout(() => commit(batch), milliseconds)
}

/** Deletes messages in 8 seconds, or when the page is left. */
export function postpone(ids: string[], work: Commit): void {
  const batch: Batch = { ids, commit: work, leaving: false }
  batches.add(batch)
  setBars({ pending: new Set([...getBars().pending, ...ids]) })
  show()
  if (!held) arm(batch, UNDO)
}

/** Keeps all messages whose deletion can be undone. */
export function undo(): void {
  for (const batch of batches) clearTimeout(batch.timer)
  batches.clear()
  showAgain(getBars().undoable)
  show()
}

/** Carries all deletions out now. */
export function commitAll(): void {
  for (const batch of batches) commit(batch)
}

/** Sends all that is not deleted yet at once, with requests that outlive the page. */
function leavePage(): void {
  for (const batch of running.keys()) {
    if (batch.leaving) continue
    batch.leaving = true
    start({ ...batch })
  }
  for (const batch of batches) commit(batch, true)
}

onLeave(() => {
  commitAll()
  return Promise.all(running.values())
})

/** Pauses the time for Undo, or continues it. */
export function hold(on: boolean): void {
  held = on
  for (const batch of batches) {
    if (on) clearTimeout(batch.timer)
    else arm(batch, UNDO)
  }
}

/** Calls `listener` if messages could not be deleted. */
export function listenForFailures(listener: (failure: Failure) => void): void {
  onFailure = listener
}

addEventListener('pagehide', leavePage)
// `pagehide` comes after the response to the form, which may have opened another address already.
addEventListener('submit', (event) => {
  if (!event.defaultPrevented) leavePage()
})
