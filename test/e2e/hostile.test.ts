import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { openSenderSite, ownComplaints, type SenderSite, watchDeeds } from './sender-site.ts'
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

test('the hostile mail is one: without the walls it calls the sender', async () => {
  const { page } = await newVisit(stage.browser)
  const before = sender.requests
  for (const [name, tracker] of TRACKERS.slice(0, 20)) {
    await page
      .setContent(tracker.replaceAll(/https?:\/\/[\w.-]+/g, sender.url), { waitUntil: 'commit' })
      .catch(() => name)
  }
  await expect.poll(() => sender.requests - before).toBeGreaterThan(5)
  // Or it would still be calling while the next test listens.
  await page.context().close()
})

test('nothing in a hostile mail runs, leads away or opens a connection', async () => {
  expect(TRACKERS.length).toBeGreaterThanOrEqual(30)
  const { page, send, complaints } = await stage.visit()
  const before = sender.connections
  const deeds = await watchDeeds(page, stage.program.url)
  /** The frame's load event comes after all that it asked for came or failed. */
  const loaded = async (images: string): Promise<void> => {
    const inner = () => page.frames().find((each) => each.url().includes(images))
    await expect.poll(inner).toBeDefined()
    await inner()?.waitForLoadState('load')
  }
  await send('Hostile', { html: `<p>begin</p>${sender.hostile()}<p>end</p>`, text: 'text' })
  await page.getByRole('link', { name: 'Hostile', exact: true }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByText('begin').first().waitFor()
  await loaded('images=0')
  const url = page.url()

  await page.getByRole('button', { name: 'Load remote images' }).click()
  await loaded('images=1')

  expect(deeds.ran).toBe(false)
  expect(page.url()).toBe(url)
  expect(page.context().pages()).toHaveLength(1)
  expect(deeds.away).toEqual([])
  // The proxy was asked, and refuses an address of its own network.
  expect(deeds.proxied).toBeGreaterThan(0)
  expect(sender.connections).toBe(before)
  expect(ownComplaints(complaints)).toEqual([])
})

test('a link in a mail opens a page of its own, that learns nothing of this one', async () => {
  const { page, send } = await stage.visit()
  await send('A link', { html: `<a href="${sender.url}/offer" target="_top">Leave</a>` })
  await page.getByRole('link', { name: 'A link', exact: true }).click()
  await page.locator('article').waitFor()
  const url = page.url()
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.frameLocator('iframe').getByRole('link', { name: 'Leave' }).click(),
  ])
  await opened.getByText('caught').waitFor()
  expect(opened.url()).toBe(`${sender.url}/offer`)
  expect(await opened.evaluate(() => [document.referrer, window.opener])).toEqual(['', null])
  expect(page.url()).toBe(url)
})
