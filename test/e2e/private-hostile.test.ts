import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import {
  type Device,
  type PrivateAddress,
  messageIn,
  makeAddress,
  openPrivateStage,
  type PrivateStage,
} from './private-stage.ts'
import { openSenderSite, ownComplaints, type SenderSite, watchActivity } from './sender-site.ts'

let stage: PrivateStage
let sender: SenderSite
let device: Device
let made: PrivateAddress
beforeAll(async () => {
  sender = await openSenderSite()
  stage = await openPrivateStage('ann.hostile@real.example')
  device = await stage.device()
  made = await makeAddress(device, 'hostile.mail')
})
afterAll(async () => {
  sender.close()
  await stage.close()
})

/** Resolves when all requests of the frames of the open message have succeeded or failed. */
async function framesLoaded({ page }: Device): Promise<void> {
  await expect.poll(() => page.frames().length).toBeGreaterThan(2)
  for (const frame of page.frames().slice(1)) await frame.waitForLoadState('load')
}

const send = (subject: string, html: string) =>
  sendMail(stage.program.smtpPort, { to: made.address, subject, html, text: 'text' })

test('blocks scripts, navigation and connections of a hostile message that the browser opened', async () => {
  const { page, pageErrors } = device
  const activity = await watchActivity(page, stage.program.url)
  await send('Hostile', `<p>begin</p>${sender.hostile()}<p>end</p>`)
  await page.getByRole('link', { name: 'Hostile', exact: true }).click()
  await messageIn(page).getByText('begin').first().waitFor()
  await framesLoaded(device)
  const url = page.url()
  expect(activity.proxied).toBe(0)

  await page.getByRole('button', { name: 'Load remote images' }).click()
  await messageIn(page).getByText('begin').first().waitFor()
  await expect.poll(() => activity.proxied).toBeGreaterThan(0)
  await framesLoaded(device)

  expect(activity.ran).toBe(false)
  expect(page.url()).toBe(url)
  expect(page.context().pages()).toHaveLength(1)
  expect(activity.away).toEqual([])
  expect(sender.connections).toBe(0)
  expect(ownComplaints(pageErrors)).toEqual([])
  await page.getByRole('link', { name: 'Back to the list' }).click()
})

test('loads remote images only after a click, through the proxy and never from the sender', async () => {
  const { page } = device
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  const proxied = new Set<string>()
  page.on('request', (request) => request.url().includes('/proxy?') && proxied.add(request.url()))
  const countOf = (path: RegExp): number => requests.filter((each) => path.test(each)).length
  await send(
    'Images',
    `<p>with images</p><img alt="one" src="${sender.url}/1.png"><p style="background:url(${sender.url}/2.png)">two</p>`,
  )
  await page.getByRole('link', { name: 'Images', exact: true }).click()
  await messageIn(page).getByText('with images').waitFor()
  await framesLoaded(device)
  expect(countOf(/^\/proxy$|\/remote$/)).toBe(0)
  await page.getByRole('button', { name: 'Load remote images' }).click()
  // The frame that measures the message requests them as well. The server fetches each once.
  await expect.poll(() => proxied.size).toBe(2)
  expect(countOf(/\/remote$/)).toBe(1)
  expect(sender.connections).toBe(0)
  await page.getByRole('link', { name: 'Back to the list' }).click()
})

test('opens links in a new page without referrer and opener', async () => {
  const { page } = device
  await send('A link', `<a href="${sender.url}/offer" target="_top">Leave</a>`)
  await page.getByRole('link', { name: 'A link', exact: true }).click()
  await messageIn(page).getByRole('link', { name: 'Leave', exact: true }).waitFor()
  const url = page.url()
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    messageIn(page).getByRole('link', { name: 'Leave', exact: true }).click(),
  ])
  await opened.getByText('caught').waitFor()
  expect(await opened.evaluate(() => [document.referrer, window.opener])).toEqual(['', null])
  expect(page.url()).toBe(url)
})
