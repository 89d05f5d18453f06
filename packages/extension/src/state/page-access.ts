import { browser } from '../browser.ts'

/** The script of the extension in a page (`entrypoints/page.ts`). */
const SCRIPT = '/page.js'
const ALL_SITES = { origins: ['*://*/*'] }

export interface Frame {
  frameId: number
  origin: string
  fillScore: number
}

/**
 * Injects the script into the frames of a tab and calls `fillScore` in each. Rejects if the browser allows no script
 * there. The origin comes from our own script, which a page can't change. It is not that of `location`, which a
 * sandboxed frame shares with its site.
 */
export async function framesOf(tabId: number, frameIds?: number[]): Promise<Frame[]> {
  const target = frameIds ? { tabId, frameIds } : { tabId, allFrames: true }
  await browser.scripting.executeScript({ target, files: [SCRIPT] })
  const results = await browser.scripting.executeScript({
    target,
    func: () => ({ origin: self.origin, fillScore: globalThis.mayfly?.fillScore() ?? 0 }),
  })
  return results.flatMap(({ frameId, result }) => (result ? [{ frameId, ...(result as Omit<Frame, 'frameId'>) }] : []))
}

/** Whether the origin is that of a web page, not of the browser, a file or a sandboxed frame. */
export const isSite = (origin: string): boolean => /^https?:\/\//.test(origin)

/** The pattern of permissions for the pages of a service. Patterns have no ports. */
export const patternOf = (url: string): string => {
  const { protocol, hostname } = new URL(url)
  return `${protocol}//${hostname}/*`
}

export const mayUseAllSites = (): Promise<boolean> => browser.permissions.contains(ALL_SITES)

/** Asks the visitor. Call it in the handler of a click. */
export const askForAllSites = (): Promise<boolean> => browser.permissions.request(ALL_SITES)
export const returnAllSites = (): Promise<boolean> => browser.permissions.remove(ALL_SITES)
