import { findBrowser } from './browser.ts'

/** Unpacks the packaged browser before the first test, so that no test waits for it. */
export default async function setup(): Promise<void> {
  await findBrowser()
}
