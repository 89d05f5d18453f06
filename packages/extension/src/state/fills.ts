import { type Clues, isAbout, isFrom } from './clues.ts'
import { changeState, type Fill, type State } from './state.ts'

const MINUTE = 60_000
/** A code is offered for this long after its address was filled in. */
export const OFFERED_FOR = 60 * MINUTE
/** Messages are awaited for this long after a fill. Later they are looked up every few minutes. */
export const AWAITED_FOR = 10 * MINUTE
/** Older fills are forgotten. Until then, a message of one site is not taken for that of another. */
const KEPT_FOR = 30 * 24 * 60 * MINUTE
const KEPT = 200

/** Records a fill. Returns a function that removes the record, and restores those that it replaced. */
export async function recordFill(fill: Omit<Fill, 'at'>): Promise<() => Promise<void>> {
  const at = Date.now()
  const isSame = (each: Fill): boolean => each.address === fill.address && each.origin === fill.origin
  let before: Fill[] = []
  await changeState((state) => {
    before = state.fills.filter(isSame)
    const others = state.fills.filter((each) => at - each.at < KEPT_FOR && !isSame(each))
    state.fills = [...others, { ...fill, at }].slice(-KEPT)
  })
  return () =>
    changeState((state) => {
      state.fills = state.fills.flatMap((each) => (isSame(each) && each.at === at ? before : [each]))
    })
}

/** After a restart of the browser, the ids refer to other tabs. No tab has a negative id. Each offer needs its own. */
export const forgetTabs = (): Promise<void> =>
  changeState((state) => {
    state.fills = state.fills.map((fill, i) => ({ ...fill, tabId: -1 - i }))
  })

/**
 * The sites that a message to an address may be for, of those where it was filled in within the last hour. A free
 * visitor has one address for all sites, so the site is the one that the message names. If it names none, it may be for
 * each of them. If it names one that got the address earlier, it is for none of the others.
 */
export function sitesOf({ fills }: Pick<State, 'fills'>, address: string, message: Clues, now = Date.now()): Fill[] {
  const own = fills.filter((each) => each.address === address)
  const fitting = [isFrom, isAbout].map((fits) => own.filter(({ origin }) => fits(message, origin)))
  const likely = fitting.find(({ length }) => length > 0) ?? own
  return likely.filter(({ at }) => now - at < OFFERED_FOR)
}

/** The fill that a message is for, if there is no doubt about it. */
export function siteOf(state: Pick<State, 'fills'>, address: string, message: Clues): Fill | undefined {
  const [site, ...others] = sitesOf(state, address, message)
  return others.length === 0 ? site : undefined
}

/** Whether a code may be filled in on a page of this origin, after a click of the visitor who sees it. */
export const mayFillCode = (state: Pick<State, 'fills'>, address: string, message: Clues, origin: string): boolean =>
  sitesOf(state, address, message).some((site) => site.origin === origin)
