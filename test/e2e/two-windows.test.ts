import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keep, list } from '#test/support/fixtures/kept-client.ts'
import { signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const isAlive = async ({ get }: ApiClient): Promise<boolean> => (await get('/api/v1/address')).status === 200

/** Opens an address in another window of the same browser. */
async function openElsewhere(page: Page, { secret, address }: ApiClient): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(`${stage.program.url}/en#secret=${secret}`)
  await other.getByRole('button', { name: 'Open address' }).click()
  await expect.poll(() => addressOn(other)).toBe(address)
  await other.close()
}

/** A window that shows `shown`. `switchAway` opens `current` in another one. */
async function window(path = '/en', options?: { lifetime: string }) {
  const [shown, current] = await Promise.all([
    createAddress(stage.program.url, options),
    createAddress(stage.program.url, options),
  ])
  const { page } = await newVisit(stage.browser)
  const cookie = { name: 'mayfly_secret', value: shown.secret, url: stage.program.url }
  await page.context().addCookies([cookie])
  await page.goto(stage.program.url + path)
  await untilHydrated(page)
  return { page, shown, current, switchAway: () => openElsewhere(page, current) }
}

const delete_ = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Delete' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
}

test.each([
  ['Delete', delete_],
  ['New random address', (page: Page) => page.getByRole('button', { name: 'New random address' }).click()],
  ['QR code', (page: Page) => page.getByRole('button', { name: 'QR code' }).click()],
])('"%s" acts on no address that another window opened, and shows that one', async (_name, act) => {
  const { page, shown, current, switchAway } = await window()
  await page.locator('[data-status=live]').waitFor()
  await switchAway()
  expect(await addressOn(page)).toBe(shown.address)
  await act(page)
  await expect.poll(() => addressOn(page)).toBe(current.address)
  expect([await isAlive(shown), await isAlive(current)]).toEqual([true, true])
  expect(await page.getByRole('dialog').count()).toBe(0)
  // From now on it acts on the address that it shows.
  await page.locator('[data-status=live]').waitFor()
  expect(await page.getByText('or the link is incomplete').count()).toBe(0)
  await delete_(page)
  await page.getByText('This address is no longer active').waitFor()
  expect([await isAlive(shown), await isAlive(current)]).toEqual([true, false])
})

test('"Revoke old links" replaces no secret of an address that another window opened', async () => {
  const { page, shown, current, switchAway } = await window()
  await page.getByRole('button', { name: 'QR code' }).click()
  await page.getByRole('img', { name: 'QR code of the link' }).locator('svg').waitFor()
  await switchAway()
  const revoke = page.getByRole('button', { name: 'Revoke old links' })
  await revoke.click()
  await revoke.click()
  await expect.poll(() => addressOn(page)).toBe(current.address)
  expect([await isAlive(shown), await isAlive(current)]).toEqual([true, true])
})

test('"Reset to 10 minutes" extends no address that another window opened', async () => {
  const { page, shown, current, switchAway } = await window('/en/10-minute-mail', { lifetime: 'ten-minutes' })
  await switchAway()
  const { expiresAt } = await current.json('/api/v1/address')
  await page.locator('form[action="/actions/extend"] button').click()
  await expect.poll(() => addressOn(page)).toBe(current.address)
  expect((await current.json('/api/v1/address')).expiresAt).toBe(expiresAt)
  expect(await isAlive(shown)).toBe(true)
})

test('the change page replaces only the address that it names, and keeps the input', async () => {
  const { page, shown, current, switchAway } = await window('/en/change')
  await page.getByText(`Your current address ${shown.address}`).waitFor()
  await page.getByLabel('Name').fill('two.windows')
  await switchAway()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(`Your current address ${current.address}`).waitFor()
  expect([await isAlive(shown), await isAlive(current)]).toEqual([true, true])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => addressOn(page)).toBe('two.windows@mayfly.test')
  expect([await isAlive(shown), await isAlive(current)]).toEqual([true, false])
})

test('the forwarding page adds no destination to an address that another window opened', async () => {
  const { page, shown, current, switchAway } = await window('/en/forwarding')
  await page.getByText(shown.address).waitFor()
  await switchAway()
  await page.getByLabel('Forward to').fill('two.windows@mail.example')
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText(current.address).waitFor()
  expect((await current.json('/api/v1/forwardings')).forwardings).toEqual([])
})

test('a window that shows no address keeps the one that another window created', async () => {
  const { page, shown } = await window()
  await delete_(page)
  await page.getByText('This address is no longer active').waitFor()
  const other = await createAddress(stage.program.url)
  await page.context().clearCookies()
  await page.context().addCookies([{ name: 'mayfly_secret', value: other.secret, url: stage.program.url }])
  await page.getByRole('button', { name: 'Get a new address' }).click()
  await expect.poll(() => addressOn(page)).toBe(other.address)
  expect([await isAlive(shown), await isAlive(other)]).toEqual([false, true])
})

test('a subscriber deletes no address that another window opened', async () => {
  const email = 'two.windows.kept@real.example'
  await subscribeIn(stage.program, email)
  const client = await signedIn(stage.program, email)
  const first = await keep(client)
  const second = await keep(client)
  const { page } = await newVisit(stage.browser)
  await page.context().addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: stage.program.url })))
  await page.goto(`${stage.program.url}/en`)
  await untilHydrated(page)
  expect(await addressOn(page)).toBe(first.address)
  const other = await page.context().newPage()
  await other.goto(`${stage.program.url}/en`)
  await other.locator('summary', { hasText: 'addresses' }).click()
  await other.getByRole('button', { name: second.address }).click()
  await expect.poll(() => addressOn(other)).toBe(second.address)
  await delete_(page)
  await expect.poll(() => addressOn(page)).toBe(second.address)
  expect((await list(client)).map(({ id }) => id)).toEqual([first.id, second.id])
})

test('the forms without JavaScript act on no address that another window opened', async () => {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
  const [shown, current] = await Promise.all([createAddress(stage.program.url), createAddress(stage.program.url)])
  const use = ({ secret }: ApiClient) =>
    page.context().addCookies([{ name: 'mayfly_secret', value: secret, url: stage.program.url }])
  for (const press of [
    async () => {
      await page.goto(`${stage.program.url}/en?ask=delete`)
      return () => page.getByRole('button', { name: 'Delete' }).click()
    },
    async () => {
      await page.goto(`${stage.program.url}/en`)
      return () => page.locator('form[action="/actions/delete"] button').click()
    },
    async () => {
      await page.goto(`${stage.program.url}/en`)
      await page.locator('summary', { hasText: 'Revoke old links' }).click()
      return () => page.getByRole('button', { name: 'Revoke old links' }).click()
    },
    async () => {
      await page.goto(`${stage.program.url}/en/change`)
      return () => page.getByRole('button', { name: 'Save', exact: true }).click()
    },
  ]) {
    await use(shown)
    const go = await press()
    await use(current)
    await go()
    await page.waitForURL('**error=unauthorized')
    expect([await isAlive(shown), await isAlive(current)]).toEqual([true, true])
  }
  expect(await page.getByText(current.address).count()).toBeGreaterThan(0)
})

test('a page of an account creates no key of another one that another window signed in to', async () => {
  const emails = ['two.windows.ann@real.example', 'two.windows.bob@real.example'] as const
  for (const email of emails) await subscribeIn(stage.program, email)
  const [ann, bob] = [await signedIn(stage.program, emails[0]), await signedIn(stage.program, emails[1])]
  const { page } = await newVisit(stage.browser)
  const become = ({ cookies }: typeof ann) =>
    page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: stage.program.url })))
  await become(ann)
  await page.goto(`${stage.program.url}/en/account/developer`)
  await untilHydrated(page)
  await page.getByLabel('Label').fill('Build server')
  await become(bob)
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.locator('main header').getByText(emails[1]).waitFor()
  expect((await bob.json('/api/v1/account/keys')).keys).toEqual([])
  expect((await page.getByRole('alert').allInnerTexts()).join('')).toBe('')
})
