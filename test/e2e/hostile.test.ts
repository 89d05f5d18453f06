import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { openSenderSite, ownComplaints, type SenderSite, watchActivity } from './sender-site.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let sender: SenderSite
beforeAll(async () => {
  sender = await openSenderSite()
  stage = await openStage()
})
afterAll(async () => {
  sender.close()
  await stage.close()
})

test('the hostile message contacts its sender if it is not isolated', async () => {
  const { page } = await newVisit(stage.browser)
  const before = sender.requests
  for (const [name, tracker] of TRACKERS.slice(0, 20)) {
    await page
      .setContent(tracker.replaceAll(/https?:\/\/[\w.-]+/g, sender.url), { waitUntil: 'commit' })
      .catch(() => name)
  }
  await expect.poll(() => sender.requests - before).toBeGreaterThan(5)
  // Otherwise its requests would be counted by the next test.
  await page.context().close()
})

test('blocks scripts, navigation and connections of a hostile message', async () => {
  expect(TRACKERS.length).toBeGreaterThanOrEqual(30)
  const { page, send, pageErrors } = await stage.visit()
  const before = sender.connections
  const activity = await watchActivity(page, stage.program.url)
  /** Resolves at the load event of the frame, when all its requests have succeeded or failed. */
  const loaded = async (images: string): Promise<void> => {
    const inner = () => page.frames().find((each) => each.url().includes(images))
    await expect.poll(inner).toBeDefined()
    await inner()?.waitForLoadState('load')
  }
  await send('Hostile', { html: `<p>begin</p>${sender.hostile()}<p>end</p>`, text: 'text' })
  await page.getByRole('link', { name: 'Hostile', exact: true }).click()
  const frame = page.frameLocator('iframe:not([aria-hidden])')
  await frame.getByText('begin').first().waitFor()
  await loaded('images=0')
  const url = page.url()

  await page.getByRole('button', { name: 'Load remote images' }).click()
  await loaded('images=1')
  // The proxy receives the requests and refuses addresses of its own network. The frame that measures requests nothing.
  await expect.poll(() => activity.proxied).toBeGreaterThan(0)

  expect(activity.ran).toBe(false)
  expect(page.url()).toBe(url)
  expect(page.context().pages()).toHaveLength(1)
  expect(activity.away).toEqual([])
  expect(sender.connections).toBe(before)
  expect(ownComplaints(pageErrors)).toEqual([])
})

test('opens links of a message in a new page without referrer and opener', async () => {
  const { page, send } = await stage.visit()
  await send('A link', { html: `<a href="${sender.url}/offer" target="_top">Leave</a>` })
  await page.getByRole('link', { name: 'A link', exact: true }).click()
  await page.locator('article').waitFor()
  const url = page.url()
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.frameLocator('iframe:not([aria-hidden])').getByRole('link', { name: 'Leave', exact: true }).click(),
  ])
  await opened.getByText('caught').waitFor()
  expect(opened.url()).toBe(`${sender.url}/offer`)
  expect(await opened.evaluate(() => [document.referrer, window.opener])).toEqual(['', null])
  expect(page.url()).toBe(url)
})
