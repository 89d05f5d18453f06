import { browser } from '../browser.ts'
import { FOCUSED } from '../page/calls.ts'
import { isAlive, provideAddress } from './addresses.ts'
import { recordFill } from './fills.ts'
import { type Frame, framesOf, isSite } from './page-access.ts'
import type { Held } from './state.ts'

type Filled = 'filled' | 'no-field' | 'blocked'

/** The frame with the focus first, then the page itself: its frames may belong to others, who want the address too. */
const byFillScore = (a: Frame, b: Frame): number =>
  Number(b.fillScore >= FOCUSED) - Number(a.fillScore >= FOCUSED) ||
  Number(b.frameId === 0) - Number(a.frameId === 0) ||
  b.fillScore - a.fillScore

/**
 * Fills an address into the most likely field of a tab or of its frames. Uses the address that the visitor picked if it
 * still exists, and otherwise the address of the site.
 */
export async function fillPage(tabId: number, picked?: Held, frameId?: number): Promise<Filled> {
  let frames: Frame[]
  try {
    frames = await framesOf(tabId, frameId === undefined ? undefined : [frameId])
  } catch {
    return 'blocked'
  }
  const [best] = frames.filter(({ fillScore, origin }) => fillScore > 0 && isSite(origin)).toSorted(byFillScore)
  if (!best) return 'no-field'
  const { address } = picked && (await isAlive(picked)) ? picked : await provideAddress(best.origin)
  // Before the fill, which may move the focus out of the popup, and so close it, or replace the page.
  const takeBack = await recordFill({ address, origin: best.origin, tabId })
  const [filled] = await browser.scripting.executeScript({
    target: { tabId, frameIds: [best.frameId] },
    func: (value: string, origin: string) => globalThis.mayfly?.fillAddress(value, origin) ?? false,
    args: [address, best.origin],
  })
  if (filled?.result === true) return 'filled'
  // The page has moved on meanwhile.
  await takeBack()
  return 'no-field'
}

/** Fills a code into a tab, in frames of the origin that it is for. */
export async function fillCodeIn(tabId: number, site: string, code: string): Promise<Filled> {
  let frames: Frame[]
  try {
    frames = await framesOf(tabId)
  } catch {
    return 'blocked'
  }
  for (const { frameId, origin } of frames.filter((frame) => frame.origin === site)) {
    const [filled] = await browser.scripting.executeScript({
      target: { tabId, frameIds: [frameId] },
      func: (value: string, own: string) => globalThis.mayfly?.fillCode(value, own) ?? false,
      args: [code, origin],
    })
    if (filled?.result === true) return 'filled'
  }
  return 'no-field'
}
