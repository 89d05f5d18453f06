import { onLeave, type PageProblem, problemOf } from '../api/api.ts'
import { getBars, setBars } from '../app/bars.ts'

/** How long a deletion can be undone, in milliseconds. Until then nothing is deleted on the server. */
export const UNDO = 8000

/** Deletes messages on the server. `keepalive`: the page is being left, and the request must outlive it. */
type Commit = (ids: string[], keepalive: boolean) => Promise<unknown>

interface Batch {
  ids: string[]
  commit: Commit
  timer: ReturnType<typeof setTimeout> | undefined
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

const forget = (ids: readonly string[]): void =>
  setBars({ pending: new Set([...getBars().pending].filter((id) => !ids.includes(id))) })

/** The deletions that the server is carrying out. */
const running = new Set<Promise<void>>()

function commit(batch: Batch, keepalive = false): void {
  clearTimeout(batch.timer)
  if (!batches.delete(batch)) return
  show()
  const work = carryOut(batch, keepalive).finally(() => running.delete(work))
  running.add(work)
}

async function carryOut(batch: Batch, keepalive: boolean): Promise<void> {
  try {
    await batch.commit(batch.ids, keepalive)
  } catch (error) {
    onFailure({ count: batch.ids.length, problem: problemOf(error) })
  }
  // After a failure the messages are shown again.
  forget(batch.ids)
}

function arm(batch: Batch, milliseconds: number): void {
  clearTimeout(batch.timer)
  batch.timer = setTimeout(() => commit(batch), milliseconds)
}

/** Deletes messages in 8 seconds, or when the page is left. */
export function postpone(ids: string[], work: Commit): void {
  const batch: Batch = { ids, commit: work, timer: undefined }
  batches.add(batch)
  setBars({ pending: new Set([...getBars().pending, ...ids]) })
  show()
  if (!held) arm(batch, UNDO)
}

/** Keeps all messages whose deletion can be undone. */
export function undo(): void {
  for (const batch of batches) clearTimeout(batch.timer)
  batches.clear()
  forget(getBars().undoable)
  show()
}

/** Carries all deletions out now. */
export function commitAll(keepalive = false): void {
  for (const batch of batches) commit(batch, keepalive)
}

onLeave(() => {
  commitAll()
  return Promise.all(running)
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

addEventListener('pagehide', () => commitAll(true))
// `pagehide` comes after the response to the form, which may have opened another address already.
addEventListener('submit', (event) => {
  if (!event.defaultPrevented) commitAll(true)
})
