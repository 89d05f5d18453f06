import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { closeContexts } from '#test/support/program/browser.ts'
import { startProgram } from '#test/support/program/program.ts'
import { openStage, untilHydrated } from './stage.ts'

test('shows a lost connection and reconnects without missing or repeating messages', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-reconnect-'))
  const stage = await openStage({ dataDir })
  const ports = {
    MAYFLY_HTTP_PORT: String(stage.program.httpPort),
    MAYFLY_SMTP_PORT: String(stage.program.smtpPort),
  }
  const { page, address, send } = await stage.visit()
  await send('Before')
  await page.getByRole('link', { name: 'Before', exact: true }).waitFor()

  await stage.program.stop('SIGKILL')
  await page.getByText('Connection lost. Reconnecting…').waitFor()
  const again = await startProgram({ dataDir, env: ports })
  await sendMail(again.smtpPort, { to: address, subject: 'Meanwhile', text: 'x' })
  await page.locator('[data-status=live]').waitFor()
  await page.getByRole('link', { name: 'Meanwhile', exact: true }).waitFor()
  await sendMail(again.smtpPort, { to: address, subject: 'After', text: 'x' })
  await page.getByRole('link', { name: 'After', exact: true }).waitFor()
  expect(await page.locator('tbody tr').count()).toBe(3)

  await closeContexts(stage.browser)
  expect(await again.stop()).toBe(0)
  await rm(dataDir, { recursive: true })
})

test('closes the stream of a page in the back-forward cache and reopens it when the page is restored', async () => {
  const stage = await openStage()
  const { page, send } = await stage.visit()
  const streams = async (): Promise<string | undefined> =>
    /^mayfly_http_streams_open (\d+)/m.exec(await (await fetch(stage.program.metricsUrl)).text())?.[1]
  // Safari caches pages with no-store, Chromium does not. The events that Safari would send are simulated.
  const dispatch = (name: string) =>
    page.evaluate((type) => dispatchEvent(new PageTransitionEvent(type, { persisted: true })), name)
  await expect.poll(streams).toBe('1')
  await dispatch('pagehide')
  await expect.poll(streams).toBe('0')
  await send('Meanwhile')
  await dispatch('pageshow')
  await page.getByRole('link', { name: 'Meanwhile', exact: true }).waitFor()
  await page.locator('[data-status=live]').waitFor()
  expect(await streams()).toBe('1')
  await stage.close()
})

test('shows new messages and is live after Back from another site', async () => {
  const stage = await openStage()
  const { page, send } = await stage.visit()
  await page.goto(`${stage.program.url}/api/v1/domains`)
  await send('While away')
  await page.goBack()
  await page.getByRole('link', { name: 'While away', exact: true }).waitFor()
  await page.locator('[data-status=live]').waitFor()
  await send('Back again')
  await page.getByRole('link', { name: 'Back again', exact: true }).waitFor()
  await stage.close()
})

test('reports a missing network at the next click and works again after it returns', async () => {
  const stage = await openStage()
  const { page, send } = await stage.visit()
  await send('Read offline')
  await page.getByRole('link', { name: 'Read offline', exact: true }).click()
  await page.locator('article').waitFor()
  await page.context().setOffline(true)
  await page.getByText('Details', { exact: true }).click()
  await page.getByRole('tab', { name: 'Source' }).click()
  const alerts = page.getByRole('alert').filter({ hasText: 'No connection.' })
  await expect.poll(() => alerts.count()).toBe(1)

  await page.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => alerts.count()).toBe(2)
  expect(await page.locator('article').count()).toBe(1)
  await page.context().setOffline(false)
  await page.goto(`${stage.program.url}/en/change`)
  // The scripts must be loaded before the network is switched off.
  await untilHydrated(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Use a random name' }).click()
  await page.getByText('No connection.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Use a random name' }).click()
  await page.getByRole('heading', { name: 'Your Temporary Email Address' }).waitFor()
  expect(await createAddress(stage.program.url)).toBeDefined()
  await stage.close()
})

test('keeps a message and a deletion that were told before a slower payload of earlier', async () => {
  const stage = await openStage()
  const { page, send } = await stage.visit()
  await send('Deleted meanwhile')
  await page.getByRole('link', { name: 'Deleted meanwhile', exact: true }).waitFor()
  await page.reload()
  await page.locator('[data-status=live]').waitFor()
  const { promise, resolve } = Promise.withResolvers<void>()
  const read = Promise.withResolvers<void>()
  await page.route('**/en/_payload.json', async (route) => {
    const response = await route.fetch()
    read.resolve()
    await promise
    await route.fulfill({ response })
  })
  await untilHydrated(page)
  await page.getByRole('link', { name: 'Refresh' }).click()
  await read.promise
  await send('Just arrived')
  await page.getByRole('link', { name: 'Just arrived', exact: true }).waitFor()
  await page.evaluate(async () => {
    const id = document.querySelector<HTMLElement>('tbody tr:last-child')?.dataset['id']
    await fetch(`/api/v1/messages/${id}`, { method: 'DELETE' })
  })
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  resolve()
  await page.locator('main[aria-busy=false]').waitFor()
  await expect.poll(() => page.locator('tbody tr').allInnerTexts()).toEqual([expect.stringContaining('Just arrived')])
  await stage.close()
})
