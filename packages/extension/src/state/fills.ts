import { changeState, type Fill, type State } from './state.ts'

const MINUTE = 60_000
/** A code is offered for this long after its address was filled in. */
export const OFFERED_FOR = 60 * MINUTE
/** Messages are awaited for this long after a fill. Later they are looked up every few minutes. */
export const AWAITED_FOR = 10 * MINUTE
/** Older fills are forgotten. */
const KEPT_FOR = 24 * 60 * MINUTE
const KEPT = 50

export async function recordFill(fill: Omit<Fill, 'at'>): Promise<void> {
  const at = Date.now()
  await changeState((state) => {
    const others = state.fills.filter(
      (each) => at - each.at < KEPT_FOR && !(each.address === fill.address && each.origin === fill.origin),
    )
    state.fills = [...others, { ...fill, at }].slice(-KEPT)
  })
}

/** After a start of the browser, the numbers of tabs mean others. No tab has a negative one. */
export const forgetTabs = (): Promise<void> =>
  changeState((state) => {
    state.fills = state.fills.map((fill) => ({ ...fill, tabId: -1 }))
  })

/** The latest fill of an address, if a code for it may still be offered. */
export const fillOf = ({ fills }: Pick<State, 'fills'>, address: string, now = Date.now()): Fill | undefined =>
  fills.findLast((each) => each.address === address && now - each.at < OFFERED_FOR)

/** Whether a code for an address may be filled in on a page of this origin. */
export const mayFillCode = (state: Pick<State, 'fills'>, address: string, origin: string): boolean =>
  fillOf(state, address)?.origin === origin
