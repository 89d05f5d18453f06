import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test('the inbox works by forms and links', async () => {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Get an address' }).click()
  const address = await addressOn(page)
  expect(address).toMatch(/@mayfly\.test$/)
  expect(await page.getByText('Waiting for new email').isVisible()).toBe(false)

  await sendMail(stage.program.smtpPort, { to: address, subject: 'By refresh', html: '<p>in a <b>frame</b></p>' })
  await page.getByRole('link', { name: 'Refresh' }).click()
  await page.getByRole('link', { name: 'By refresh', exact: true }).click()
  await page.frameLocator('iframe').getByText('frame').waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  expect(await page.locator('tbody tr').getAttribute('data-seen')).toBe('true')
  await page.getByRole('link', { name: 'By refresh', exact: true }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Delete this email?' }).waitFor()
  await page.getByText('By refresh').waitFor()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'By refresh' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Your inbox is empty').waitFor()

  await page.getByRole('link', { name: 'Change' }).first().click()
  await page.getByLabel('Name').fill('admin')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('This name is reserved').waitFor()
  expect(new URL(page.url()).pathname).toBe('/en/change')
  await page.getByLabel('Name').fill('no.script')
  await page.getByLabel('Expires').selectOption('ten-minutes')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  expect(await addressOn(page)).toBe('no.script@mayfly.test')
  await page.getByRole('button', { name: 'Reset to 10 minutes' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Delete this address?' }).waitFor()
  await page.getByText('no.script@mayfly.test').waitFor()
  await page.getByRole('link', { name: 'Cancel' }).click()
  expect(await addressOn(page)).toBe('no.script@mayfly.test')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Get an address' }).waitFor()
})

test('what stands without its buttons is aligned as with them', async () => {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Get an address' }).click()
  const to = await addressOn(page)
  await sendMail(stage.program.smtpPort, { to, subject: 'A code', text: 'Your verification code is 482913' })
  await page.getByRole('link', { name: 'Refresh' }).click()
  const code = page.locator('[data-offer] bdi')
  const gaps = await code.evaluate((each) => {
    const [own, chip] = [each, each.parentElement!].map((box) => box.getBoundingClientRect())
    return [own!.left - chip!.left, chip!.right - own!.right]
  })
  expect(gaps).toEqual([12, 12])
  const [revoke, refresh, where, sheet] = await Promise.all([
    page.getByText('Revoke old links').first().boundingBox(),
    page.getByRole('link', { name: 'Refresh' }).boundingBox(),
    page.getByRole('link', { name: 'Where is my email?' }).boundingBox(),
    page.locator('main table').boundingBox(),
  ])
  expect(revoke!.x).toBe(refresh!.x)
  expect(where!.y - sheet!.y - sheet!.height).toBeGreaterThanOrEqual(8)
  expect(where!.x + where!.width / 2).toBeCloseTo(sheet!.x + sheet!.width / 2, 0)
  await page.context().close()
})

test('"Where is my email?" is a page that says what the receiver saw', async () => {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Get an address' }).click()
  const to = await addressOn(page)
  await sendMail(stage.program.smtpPort, { to, subject: 'There', text: 'x' })
  await page.getByRole('link', { name: 'Where is my email?' }).click()
  await page.getByRole('heading', { name: 'Where is my email?', level: 1 }).waitFor()
  await page.locator('[data-result=received]').getByText('Received').waitFor()
  await page.getByText(/^This list starts on .* UTC/).waitFor()
  await page.getByText(to).waitFor()
  expect(await page.title()).toBe('Where is my email? · Mayfly')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByRole('link', { name: 'There', exact: true }).waitFor()
  await page.context().close()
})

test('a message shows when it was sent, and when it arrived if that was much later', async () => {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Get an address' }).click()
  const to = await addressOn(page)
  await sendMail(stage.program.smtpPort, { to, subject: 'Old', text: 'x', date: new Date('2003-07-01T08:52:37Z') })
  await page.getByRole('link', { name: 'Refresh' }).click()
  await page.getByRole('link', { name: 'Old', exact: true }).click()
  await page.getByText('Details', { exact: true }).click()
  for (const label of ['From', 'Date', 'Subject'])
    expect(await page.getByText(label, { exact: true }).isVisible()).toBe(true)
  await page.locator('dl').getByText('July 1, 2003 at 8:52 AM UTC').waitFor()
  expect(await page.getByText(/^Arrived .* UTC$/).isVisible()).toBe(true)
})

test('the panels of the header open, and a change of language keeps the page', async () => {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
  await page.goto(`${stage.program.url}/en/articleDetail?slug=spotting-phishing`)
  await page.getByRole('button', { name: 'Choose a language' }).click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await page.waitForURL('**/de/articleDetail?slug=spotting-phishing')
  expect(await page.locator('html').getAttribute('lang')).toBe('de-DE')
  const kept = (await page.context().cookies()).find(({ name }) => name === 'mayfly_locale')
  expect(kept).toMatchObject({ value: 'de', path: '/', sameSite: 'Lax' })
  expect(Math.abs((kept?.expires ?? 0) - Date.now() / 1000 - 365 * 24 * 3600)).toBeLessThan(600)
  await page.locator('[popovertarget=menu]').click()
  await page.locator('#menu a[href="/de/premium"]').click()
  await page.waitForURL('**/de/premium')
  expect(await page.locator('form[action="/actions/order"]').isVisible()).toBe(true)
  await page.context().close()
})

test('forms of another site are rejected even if the browser sends the cookie', async () => {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Get an address' }).click()
  const address = await addressOn(page)
  let action = ''
  // The same host on another port is the same site for cookies but another origin.
  const evil = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<form method="post" action="${action}"><input type="hidden" name="confirmed" value="yes"><button>Win</button></form>`,
      ),
  ).listen(0, 'localhost')
  await once(evil, 'listening')
  for (const name of ['delete', 'change', 'create', 'extend']) {
    action = `${stage.program.url}/actions/${name}`
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}`)
    const [sent] = await Promise.all([page.waitForRequest(action), page.getByRole('button', { name: 'Win' }).click()])
    expect((await sent.allHeaders()).cookie).toContain('mayfly')
    await page.goto(`${stage.program.url}/en`)
    expect(await addressOn(page), name).toBe(address)
  }
  evil.close()
})
