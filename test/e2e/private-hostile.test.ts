import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import {
  type Device,
  type MadeAddress,
  mailIn,
  makeAddress,
  openPrivateStage,
  type PrivateStage,
} from './private-stage.ts'
import { openSenderSite, ownComplaints, type SenderSite, watchDeeds } from './sender-site.ts'

let stage: PrivateStage
let sender: SenderSite
let device: Device
let made: MadeAddress
beforeAll(async () => {
  sender = await openSenderSite()
  stage = await openPrivateStage()
  device = await stage.device()
  made = await makeAddress(device, 'hostile.mail')
})
afterAll(async () => {
  sender.close()
  await stage.close()
})

/** Resolves after the frames of the mail that is shown have all that they asked for, or know that it does not come. */
async function framesLoaded({ page }: Device): Promise<void> {
  await expect.poll(() => page.frames().length).toBeGreaterThan(2)
  for (const frame of page.frames().slice(1)) await frame.waitForLoadState('load')
}

const send = (subject: string, html: string) =>
  sendMail(stage.program.smtpPort, { to: made.address, subject, html, text: 'text' })

test('nothing in a hostile mail that the browser opened itself runs, leads away or opens a connection', async () => {
  const { page, complaints } = device
  const deeds = await watchDeeds(page, stage.program.url)
  await send('Hostile', `<p>begin</p>${sender.hostile()}<p>end</p>`)
  await page.getByRole('link', { name: 'Hostile', exact: true }).click()
  await mailIn(page).getByText('begin').first().waitFor()
  await framesLoaded(device)
  const url = page.url()
  expect(deeds.proxied).toBe(0)

  await page.getByRole('button', { name: 'Load remote images' }).click()
  await mailIn(page).getByText('begin').first().waitFor()
  await expect.poll(() => deeds.proxied).toBeGreaterThan(0)
  await framesLoaded(device)

  expect(deeds.ran).toBe(false)
  expect(page.url()).toBe(url)
  expect(page.context().pages()).toHaveLength(1)
  expect(deeds.away).toEqual([])
  expect(sender.connections).toBe(0)
  expect(ownComplaints(complaints)).toEqual([])
  await page.getByRole('link', { name: 'Back to the list' }).click()
})

test('remote images come after a click alone, by way of the proxy, and never from the sender', async () => {
  const { page } = device
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const asking = (path: RegExp): number => asked.filter((each) => path.test(each)).length
  await send(
    'Images',
    `<p>with images</p><img alt="one" src="${sender.url}/1.png"><p style="background:url(${sender.url}/2.png)">two</p>`,
  )
  await page.getByRole('link', { name: 'Images', exact: true }).click()
  await mailIn(page).getByText('with images').waitFor()
  await framesLoaded(device)
  expect(asking(/^\/proxy$|\/remote$/)).toBe(0)
  await page.getByRole('button', { name: 'Load remote images' }).click()
  await expect.poll(() => asking(/^\/proxy$/)).toBe(2)
  expect(asking(/\/remote$/)).toBe(1)
  expect(sender.connections).toBe(0)
  await page.getByRole('link', { name: 'Back to the list' }).click()
})

test('a link opens a page of its own, that learns nothing of this one', async () => {
  const { page } = device
  await send('A link', `<a href="${sender.url}/offer" target="_top">Leave</a>`)
  await page.getByRole('link', { name: 'A link', exact: true }).click()
  await mailIn(page).getByRole('link', { name: 'Leave' }).waitFor()
  const url = page.url()
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    mailIn(page).getByRole('link', { name: 'Leave' }).click(),
  ])
  await opened.getByText('caught').waitFor()
  expect(await opened.evaluate(() => [document.referrer, window.opener])).toEqual(['', null])
  expect(page.url()).toBe(url)
})
