import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawClient } from '#smtp/testing.ts'
import { openStage, type Stage } from './stage.ts'
import { violations } from './violations.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ env: { MAYFLY_MESSAGE_MAX_BYTES: '20000' } })
})
afterAll(() => stage.close())

test('"Where is my email?" shows what the receiver saw, live', async () => {
  const { page, address, send, pageErrors } = await stage.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.locator('summary', { hasText: 'Where is my email?' }).click()
  await page.getByText('No email to this address has reached us during this time.').waitFor()
  await page.getByText(/^This list starts on/).waitFor()
  const panel = page.locator('[data-deliveries]')
  await panel.getByRole('button', { name: 'Copy', exact: true }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  expect(await violations(page)).toEqual([])

  const client = await RawClient.connect(stage.program.smtpPort)
  await client.ask('EHLO mail.shop.example')
  await client.ask('MAIL FROM:<news@shop.example> SIZE=20001')
  expect(await client.ask(`RCPT TO:<${address}>`)).toMatch(/^552/)
  const refused = panel.locator('[data-result=too-large]')
  await refused.getByText('Refused: too large').waitFor()
  await refused.getByText('From \u2068shop.example\u2069 (not verified)').waitFor()
  await refused.getByText('mail.shop.example · 127.0.0.0/24').waitFor()
  await refused.getByText('552 5.3.4 Message too big').waitFor()
  client.close()

  await send('It is there')
  await panel.locator('[data-result=received]').getByText('Received').waitFor()
  expect(
    await panel.locator('[data-result]').evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.result)),
  ).toEqual(['received', 'too-large'])
  expect(await violations(page)).toEqual([])
  await page.locator('summary', { hasText: 'Where is my email?' }).click()
  await panel.waitFor({ state: 'detached' })
  expect(pageErrors).toEqual([])
})

test('"Where is my email?" says that the list is being loaded', async () => {
  const { page } = await stage.visit()
  let answer = (): void => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/deliveries*', async (route) => {
    await asked
    await route.continue()
  })
  await page.locator('summary', { hasText: 'Where is my email?' }).click()
  const loading = page.locator('[data-deliveries] p[role=status]')
  await page.getByText('What to do now').waitFor()
  expect(await loading.textContent()).toBe('Loading…')
  answer()
  await page.getByText('No email to this address has reached us during this time.').waitFor()
  expect(await loading.count()).toBe(0)
})
