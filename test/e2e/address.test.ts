import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { deriveKeys } from '#mail/sealing/keys.ts'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  // No sweep during the test, so that the page itself must detect the expiry.
  stage = await openStage({ env: { MAYFLY_SWEEP_SECONDS: '600' } })
})
afterAll(() => stage.close())

/** The secret of the page's address, as in its recovery link. */
async function secretOf(page: Page): Promise<string> {
  const headers = { origin: stage.program.url }
  const response = await page.request.post(`${stage.program.url}/api/v1/session/reveal`, { headers })
  return ((await response.json()) as { secret: string }).secret
}

/** Makes an address expire in the given number of seconds. */
function expireIn(secret: string, seconds: number): void {
  const database = new DatabaseSync(join(stage.program.dataDir, 'mayfly.db'), { timeout: 5000 })
  const end = database.prepare('update addresses set expires_at = ? where id = ?')
  const { changes } = end.run(Date.now() + seconds * 1000, deriveKeys(secret)!.id)
  database.close()
  if (changes !== 1) throw new Error('No such address')
}

// Concurrent because the test of the expiry waits for several seconds.
describe.concurrent('an address', () => {
  test('expires while the page is open', async ({ expect }) => {
    const { page, send } = await stage.visit()
    await page.goto(`${stage.program.url}/en/change`)
    await page.getByLabel('Expires').selectOption('ten-minutes')
    await page.getByRole('button', { name: 'Use a random name' }).click()
    await page.getByText(/^(?:10:00|09:\d\d) left/).waitFor()
    const to = await addressOn(page)
    await send('Will be gone', { to })
    await page.getByRole('link', { name: 'Will be gone', exact: true }).waitFor()
    expireIn(await secretOf(page), 8)
    await page.reload()
    await page.getByText(/^00:\d\d left/).waitFor()
    expect(await page.getByText('Will be gone').count()).toBeGreaterThan(0)
    await page.getByText('This address is no longer active').waitFor()
    expect(await page.getByText('Will be gone').count()).toBe(0)
    await expect(send('Too late', { to })).rejects.toThrow('550 5.1.1')
    await page.getByRole('button', { name: 'Get a new address' }).click()
    await expect.poll(() => addressOn(page)).not.toBe(to)
  })

  test('can be refreshed and changed to a valid name; invalid names are explained', async ({ expect }) => {
    const { page, address, pageErrors } = await stage.visit()
    await page.getByRole('link', { name: 'Refresh' }).click()
    expect(await page.locator('output').textContent()).toBe(address)
    await page.getByRole('link', { name: 'Change' }).first().click()
    await page.getByRole('heading', { name: 'Choose your address' }).waitFor()
    const taken = await stage.visit({ path: '/en' })
    const problems: [string, string][] = [
      ['admin', 'This name is reserved'],
      ['a', 'Use 3 to 64 letters'],
      [taken.address.split('@')[0]!, 'This address is in use'],
    ]
    for (const [login, problem] of problems) {
      await page.getByLabel('Name').fill(login)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText(problem).waitFor()
    }
    await page.getByLabel('Name').fill('river.stone')
    await page.getByLabel('Domain').selectOption('dayfly.test')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => addressOn(page)).toBe('river.stone@dayfly.test')
    await page.locator('[data-status=live]').waitFor()
    // The browser logs each refused request.
    expect(pageErrors.filter((text) => !text.includes('Failed to load resource'))).toEqual([])
  })

  test('is replaced by a random one with one click', async ({ expect }) => {
    const { page, address } = await stage.visit()
    await page.goto(`${stage.program.url}/en/change`)
    await page.getByRole('button', { name: 'Use a random name' }).click()
    await page.getByRole('heading', { name: 'Your Temporary Email Address' }).waitFor()
    const now = await addressOn(page)
    expect(now).toMatch(/@mayfly\.test$/)
    expect(now).not.toBe(address)
  })

  test.for([
    ['/en/change', 'a..b', /^Use 3 to 64 letters/],
    ['/en/change', 'admin', 'This name is reserved.'],
  ] as const)('%s says at the name why “%s” is not possible', async ([path, name, reason], { expect }) => {
    const { page } = await stage.visit()
    await page.goto(stage.program.url + path)
    const input = page.getByLabel('Name')
    await input.fill(name)
    await page.getByRole('button', { name: 'Save' }).click()
    const shown = page.getByText(reason)
    await shown.waitFor()
    expect(await input.evaluate((each) => each === document.activeElement)).toBe(true)
    expect(await input.getAttribute('aria-invalid')).toBe('true')
    expect(await input.getAttribute('aria-describedby')).toContain(await shown.getAttribute('id'))
  })

  describe('deleting', () => {
    test('needs one confirmation; Escape keeps the address', async ({ expect }) => {
      const { page, address, send } = await stage.visit()
      await send('Soon gone')
      await page.getByRole('link', { name: 'Soon gone', exact: true }).waitFor()
      const open = page.getByRole('button', { name: 'Delete' }).first()
      await open.click()
      await page.getByRole('dialog').getByText(address).waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(await open.evaluate((button) => button === document.activeElement)).toBe(true)
      await open.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('This address is no longer active').waitFor()
      expect(await page.getByText('Soon gone').count()).toBe(0)
      await page.getByRole('button', { name: 'Get a new address' }).click()
      await expect.poll(() => addressOn(page)).not.toBe(address)
      await page.locator('[data-status=live]').waitFor()
    })

    test('is not canceled by a selection of text that ends outside the dialog, only by a click there', async ({
      expect,
    }) => {
      const { page, address } = await stage.visit({ viewport: { width: 1000, height: 700 } })
      await page.getByRole('button', { name: 'Delete' }).first().click()
      const { x, y } = (await page.getByRole('dialog').getByText(address).boundingBox())!
      await page.mouse.move(x + 5, y + 5)
      await page.mouse.down()
      await page.mouse.move(10, y + 5, { steps: 4 })
      await page.mouse.up()
      expect(await page.getByRole('dialog').count()).toBe(1)
      await page.mouse.click(10, y + 5)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })

    test('is followed by a new address whose stream starts at its first message', async ({ expect }) => {
      const first = await stage.visit()
      for (let i = 0; i < 5; i++) await first.send(`Mail ${i}`)
      await expect.poll(() => first.page.locator('tbody tr').count()).toBe(5)
      await first.page.getByRole('button', { name: 'Delete' }).first().click()
      await first.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await first.page.getByRole('button', { name: 'Get a new address' }).click()
      const address = await addressOn(first.page)
      await first.page.locator('[data-status=live]').waitFor()
      await first.send('For the new one', { to: address })
      await first.page.getByRole('link', { name: 'For the new one', exact: true }).waitFor()
      expect(await first.page.locator('tbody tr').count()).toBe(1)
    })
  })

  describe('with a recovery link', () => {
    test('opens the same inbox after a confirmation without sending the secret in a URL', async ({ expect }) => {
      const { page, address, send } = await stage.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
      await send('On both devices')
      await page.getByRole('button', { name: 'QR code' }).click()
      await page.getByRole('img', { name: 'QR code of the link to your address' }).locator('svg').waitFor()
      await page.getByRole('button', { name: 'Copy link' }).click()
      const link = await page.evaluate(() => navigator.clipboard.readText())
      const secret = /#secret=([\w-]{43})$/.exec(link)?.[1] ?? ''
      expect(secret).not.toBe('')

      const other = await stage.visit()
      const requests: string[] = []
      other.page.on('request', (request) => requests.push(request.url()))
      await other.page.goto(link)
      await other.page.reload()
      await other.page.goto('about:blank')
      await other.page.goto(link)
      await other.page.getByRole('dialog').getByText('no longer be shown on this device').waitFor()
      expect(await addressOn(other.page)).toBe(other.address)
      await other.page.getByRole('button', { name: 'Open address' }).click()
      await expect.poll(() => addressOn(other.page)).toBe(address)
      await other.page.getByRole('link', { name: 'On both devices', exact: true }).waitFor()
      expect(other.page.url()).not.toContain(secret)
      expect(requests.filter((url) => url.includes(secret))).toEqual([])
    })

    test('opens when the link is pasted into a tab with an open page', async ({ expect }) => {
      const { page, address } = await stage.visit()
      const secret = await secretOf(page)
      const other = await stage.visit()
      await other.page.evaluate((hash) => location.assign(hash), `#secret=${secret}`)
      await other.page.getByRole('button', { name: 'Open address' }).click()
      await expect.poll(() => addressOn(other.page)).toBe(address)
      expect(other.page.url()).not.toContain(secret)
    })

    test('creates no address for a first visitor unless they decline', async ({ expect }) => {
      const { page, address } = await stage.visit()
      const secret = await secretOf(page)
      for (const choice of ['Open address', 'No, thanks']) {
        const { page: visitor } = await newVisit(stage.browser)
        let created = 0
        visitor.on('request', (request) => {
          if (request.method() === 'POST' && request.url().endsWith('/api/v1/addresses')) created++
        })
        await visitor.goto(`${stage.program.url}/en#secret=${secret}`)
        await visitor.getByRole('dialog').waitFor()
        expect(await visitor.getByText('no longer be shown on this device').count()).toBe(0)
        await visitor.getByRole('button', { name: choice }).click()
        const shown = await addressOn(visitor)
        expect([shown === address, created]).toEqual(choice === 'Open address' ? [true, 0] : [false, 1])
      }
    })

    test.for([
      ['the address of the link has expired', 43],
      ['the link is incomplete', 42],
    ] as const)('explains that %s', async ([, length]) => {
      const { page } = await newVisit(stage.browser)
      await page.goto(`${stage.program.url}/en#secret=${'A'.repeat(length)}`)
      await page.getByRole('button', { name: 'Open address' }).click()
      await page.getByRole('dialog').getByText('This address is no longer active, or the link is incomplete.').waitFor()
    })

    test.for(['Get a new address', 'Close'])(
      'offers a first visitor a new address if the link is invalid: %s',
      async (choice, { expect }) => {
        const { page } = await newVisit(stage.browser)
        let created = 0
        page.on('request', (request) => {
          if (request.method() === 'POST' && request.url().endsWith('/api/v1/addresses')) created++
        })
        await page.goto(`${stage.program.url}/en#secret=${'A'.repeat(43)}`)
        await page.getByRole('dialog').waitFor()
        expect(await page.getByText('Getting you an address').count()).toBe(0)
        await page.getByRole('button', { name: 'Open address' }).click()
        await page.getByRole('dialog').getByText('This address is no longer active').waitFor()
        expect([await page.getByText('Getting you an address').count(), created]).toEqual([0, 0])
        await page.getByRole('button', { name: choice }).click()
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
        if (choice === 'Close') {
          expect([await page.getByText('Getting you an address').count(), created]).toEqual([0, 0])
          await page.getByRole('button', { name: 'Get an address' }).click()
        }
        expect(await addressOn(page)).toMatch(/@mayfly\.test$/)
        expect(created).toBe(1)
      },
    )

    test('keeps the current address if the link is invalid', async ({ expect }) => {
      const { page, address } = await stage.visit()
      await page.evaluate((hash) => location.assign(hash), `#secret=${'A'.repeat(43)}`)
      await page.getByRole('button', { name: 'Open address' }).click()
      await page.getByRole('dialog').getByText('This address is no longer active').waitFor()
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(await addressOn(page)).toBe(address)
      expect(await page.getByText('Getting you an address').count()).toBe(0)
    })
  })

  describe('for ten minutes', () => {
    test('counts down and can be reset', async ({ expect }) => {
      const { page } = await stage.visit()
      await page.goto(`${stage.program.url}/en/change`)
      await page.getByLabel('Expires').selectOption('ten-minutes')
      await page.getByRole('button', { name: 'Use a random name' }).click()
      const secondsLeft = async (): Promise<number> => {
        const [minutes, seconds] = (await page.getByText(/\d\d:\d\d left/).textContent())?.match(/\d\d/g) ?? []
        return Number(minutes) * 60 + Number(seconds)
      }
      const first = await secondsLeft()
      expect(first).toBeGreaterThan(500)
      await expect.poll(secondsLeft).toBeLessThan(first)
      const before = await secondsLeft()
      await page.getByRole('button', { name: 'Reset to 10 minutes' }).click()
      await expect.poll(secondsLeft).toBeGreaterThan(before)
    })
  })
})
