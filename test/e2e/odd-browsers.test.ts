import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY, MINUTE } from '#core/time.ts'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** Counts the addresses that the page creates. */
function countCreated(page: Page): () => number {
  let created = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/addresses')) created++
  })
  return () => created
}

test.each([
  ['dropped on the way', 1],
  ['disabled', 0],
])('a browser whose cookies are %s is told so, and creates at most one address', async (how, most) => {
  const { page } = await newVisit(stage.browser)
  const created = countCreated(page)
  if (how === 'disabled') {
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }))
  } else {
    await page.route('**/*', async (route) => {
      const response = await route.fetch({ headers: { ...route.request().headers(), cookie: '' } }).catch(() => null)
      if (!response) return route.abort()
      const { 'set-cookie': _dropped, ...headers } = response.headers()
      await route.fulfill({ response, headers })
      await page.context().clearCookies()
    })
  }
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('alert').getByText('Your browser blocks cookies').waitFor()
  await expect.poll(() => page.locator('output').count()).toBe(0)
  expect(await page.getByText('no longer active').count()).toBe(0)
  expect(await page.getByRole('button', { name: /address/ }).count()).toBe(0)
  expect(created()).toBe(most)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().close()
})

/** A browser whose clock is wrong by some milliseconds. */
async function withClock(off: number) {
  const { page } = await newVisit(stage.browser)
  await page.addInitScript((ahead: number) => {
    const Real = Date
    const now = (): number => Real.now() + ahead
    // oxlint-disable-next-line no-global-assign -- the page must see another time
    Date = class extends Real {
      constructor(...of: []) {
        super(...((of.length === 0 ? [now()] : of) as []))
      }
      static override now = now
    } as DateConstructor
  }, off)
  return page
}

test.each([
  ['a day ahead', DAY + 10 * MINUTE],
  ['a day behind', -DAY - 10 * MINUTE],
  ['three minutes ahead', 3 * MINUTE],
  ['a year behind', -365 * DAY],
])('with a clock that is %s, the remaining time and the newest code are right', async (_name, off) => {
  const page = await withClock(off)
  await page.goto(`${stage.program.url}/en`)
  const to = await addressOn(page)
  await page.getByText(/^(?:24\shours|23\shours\s59\sminutes)\sleft$/).waitFor()
  await sendMail(stage.program.smtpPort, verificationMail(to))
  await page.locator('tbody tr').first().waitFor()
  // The bar with the code is for an hour.
  await page.goto(`${stage.program.url}/en/terms`)
  await page.locator('[data-bar]').waitFor()

  await page.goto(`${stage.program.url}/en/10-minute-mail`)
  await page.locator('main form[action="/actions/create"] button').click()
  const left = page.getByText(/^\d\d:\d\d\sleft$/)
  await expect.poll(async () => /^(?:10:00|09:[345]\d)/.test(await left.innerText())).toBe(true)
  await page.context().close()
})

test('without popovers, Premium, single keys and Escape work as well', async () => {
  const { page, pageErrors } = await newVisit(stage.browser)
  // Stands for a browser that doesn't know the name: the parser refuses it in the same places.
  await page.addInitScript(() => {
    for (const name of ['querySelector', 'querySelectorAll'] as const) {
      const real = Document.prototype[name] as (selector: string) => unknown
      const value = function known(this: Document, selector: string): unknown {
        return real.call(this, selector.replaceAll(':popover-open', ':not-known-here'))
      }
      Object.defineProperty(Document.prototype, name, { value })
    }
  })
  await page.goto(`${stage.program.url}/en`)
  const address = await addressOn(page)
  await sendMail(stage.program.smtpPort, { to: address, subject: 'One', text: 'x' })
  await page.getByRole('link', { name: 'One', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Search' }).waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('One')
  await page.keyboard.press('Enter')
  await page.locator('article').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('tbody tr').waitFor()
  await page.getByRole('link', { name: 'Premium' }).first().click()
  await page.getByRole('dialog', { name: 'Premium' }).waitFor()
  expect(pageErrors).toEqual([])
  await page.context().close()
})

test('where only a service worker can show notifications, it does; a permission that was taken back is said', async () => {
  const { page, pageErrors, send } = await stage.visit({ serviceWorkers: 'allow' })
  await page.evaluate(() => {
    const shown: string[] = []
    class Refused {
      static permission = 'granted'
      static requestPermission = async () => Refused.permission
      constructor() {
        throw new TypeError('Illegal constructor')
      }
    }
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      shown.push(`${title}: ${options?.body} ${options?.data.home}`)
    }
    Object.assign(window, { shown, Notification: Refused })
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  })
  const options = page.getByRole('button', { name: 'Options and shortcuts' })
  const notify = page.getByRole('switch', { name: 'Desktop notifications' })
  await options.click()
  await notify.click()
  await expect.poll(() => notify.isChecked()).toBe(true)
  await send('On Android')
  await expect
    .poll(() => page.evaluate(() => (window as any).shown as string[]))
    .toEqual(['Mayfly: New email from Harbour Bank: On Android /en'])
  await page.keyboard.press('Escape')
  await page.evaluate(() => Object.assign(Notification, { permission: 'denied' }))
  await options.click()
  await page.locator('label', { has: notify }).getByText('Your browser blocks notifications').waitFor()
  expect([await notify.isChecked(), await notify.isDisabled()]).toEqual([false, true])
  expect(pageErrors).toEqual([])
  await page.context().close()
})
