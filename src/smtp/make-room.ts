import { FIRST_BYTES } from './memory.ts'
import type { Session } from './session.ts'

/** A session that may have to make room for others. */
type Occupant = Pick<Session, 'memory' | 'stalls' | 'giveUp'>

/**
 * Ends stalled messages, the largest first, as long as messages of networks that hold less wait for memory. Messages
 * within their first bytes stay.
 */
export function makeRoomForMessages(sessions: Iterable<Occupant>, now: number): void {
  const all = [...sessions]
  const waiting = all.map(({ memory }) => memory).filter(({ wanted }) => wanted > 0)
  if (waiting.length === 0) return
  const stalled = all
    .filter((session) => session.memory.held > FIRST_BYTES && session.stalls(now))
    .toSorted((a, b) => b.memory.held - a.memory.held)
  for (const { wanted, ofNetwork } of waiting) {
    let missing = wanted
    for (const session of stalled) {
      const { memory } = session
      if (missing <= 0) break
      // A session that was ended for another one holds nothing.
      if (memory.held === 0 || memory.ofNetwork <= ofNetwork + wanted) continue
      missing -= memory.held
      session.giveUp()
    }
  }
}

/**
 * Returns the session whose place a network with `held` connections may get: the first one that stalls in the largest
 * network that has at least two more. `heldBy` returns the connections of the network of a session.
 */
export function stalledInLargestNetwork<S extends Pick<Occupant, 'stalls'>>(
  sessions: Iterable<S>,
  held: number,
  heldBy: (session: S) => number,
): S | undefined {
  const now = performance.now()
  let most = held + 1
  let found: S | undefined
  for (const session of sessions) {
    const count = heldBy(session)
    if (count <= most || !session.stalls(now)) continue
    most = count
    found = session
  }
  return found
}
