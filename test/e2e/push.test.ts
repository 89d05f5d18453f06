import type { Page, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakePushService, startPushService } from '#test/support/fakes/push-service.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { grantPush, leaveSettings, pushSettings, pushSwitch, subscriptions, told } from './push-stage.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let service: FakePushService
beforeAll(async () => {
  ;[stage, service] = await Promise.all([openStage(), startPushService()])
})
afterAll(async () => {
  await stage.close()
  await service.close()
})

interface Shown {
  title: string
  body: string
  tag: string
}

/** Records what the service worker shows. */
const record = (worker: Worker) =>
  worker.evaluate(() => {
    const shown: object[] = []
    const badges: unknown[] = []
    const visits: unknown[] = []
    const { fetch } = self
    self.fetch = (input, init) => {
      visits.push(new Headers(init?.headers).get('x-visit'))
      return fetch(input, init)
    }
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
    registration.showNotification = async (title, options) => void shown.push({ title, ...options })
    Object.assign(navigator, { setAppBadge: async (count: unknown) => void badges.push(count) })
    Object.assign(self, { shown, badges, visits })
  })
const shownBy = (worker: Worker): Promise<Shown[]> =>
  worker.evaluate(() => (self as unknown as { shown: Shown[] }).shown)

/** Delivers to the real service worker as the browser does. */
async function deliverer(page: Page): Promise<(payload: unknown) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((done) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(stage.program.url))
      if (own) done(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  return async (payload) => {
    const message = { origin: stage.program.url, registrationId, data: JSON.stringify(payload) }
    await session.send('ServiceWorker.deliverPushMessage', message)
  }
}

test('tells of a message with the page closed, and says more only if the visitor wants that', async () => {
  const browser = service.browser()
  const { page, address, send } = await stage.visit({ serviceWorkers: 'allow' })
  const context = page.context()
  await page.addInitScript(grantPush, browser.subscription)
  // A worker that becomes active during a reload claims neither the old page nor the new one.
  const isControlled = () => page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await isControlled()
  await page.reload()
  await page.locator('[data-status=live]').waitFor()
  await isControlled()
  const [worker] = context.serviceWorkers()
  await record(worker!)

  await page.getByRole('button', { name: 'Options and shortcuts' }).click()
  await pushSwitch(page).click()
  await expect.poll(() => pushSwitch(page).isChecked(), { timeout: PATIENCE }).toBe(true)
  await send('Your code', { from: 'Bank <bank@sender.example>', text: 'Your verification code is 604218.' })
  const [push] = await browser.until(1)
  const payload = push!.payload as { id: string }
  expect(payload).toEqual({
    id: expect.stringMatching(/^\w{26}$/),
    count: 1,
    subscription: expect.stringMatching(/^[\w-]{22}$/),
  })

  const other = await context.newPage()
  const deliver = await deliverer(other)
  // Another tab is in front, but this one is visible in a window of its own: the page shows the message.
  await deliver(payload)
  await expect.poll(() => worker!.evaluate(() => (self as unknown as { badges: unknown[] }).badges)).toEqual([1])
  expect(await shownBy(worker!)).toEqual([])

  await page.getByRole('switch', { name: 'Show sender and code' }).click()
  await page.getByRole('switch', { name: 'Show sender and code', checked: true }).waitFor()
  await page.close()
  await deliver(payload)
  await expect
    .poll(() => shownBy(worker!), { timeout: PATIENCE })
    .toMatchObject([
      { title: 'Mayfly', body: 'New email from Bank. The code is 604218', tag: payload.id, lang: 'en-US', dir: 'ltr' },
    ])

  expect(await worker!.evaluate(() => (self as unknown as { visits: unknown[] }).visits)).toEqual(['no', 'no'])

  const again = await context.newPage()
  await again.addInitScript(grantPush, browser.subscription)
  await again.goto(`${stage.program.url}/en`)
  await again.locator('[data-status=live]').waitFor()
  await again.evaluate(async () => {
    const { pushManager } = await navigator.serviceWorker.ready
    await pushManager.subscribe({ applicationServerKey: 'BA' })
  })
  await again.getByRole('button', { name: 'Options and shortcuts' }).click()
  await again.getByRole('switch', { name: 'Show sender and code', checked: true }).click()
  await again.getByRole('switch', { name: 'Show sender and code', checked: false }).waitFor()
  // As if all windows were in the background.
  await worker!.evaluate(() => {
    const { clients } = self as unknown as { clients: object }
    Object.assign(clients, { matchAll: async () => [] })
  })
  await deliver(payload)
  await expect.poll(() => shownBy(worker!), { timeout: PATIENCE }).toHaveLength(2)
  const [, plain] = await shownBy(worker!)
  expect(plain!.body).toBe('You have a new email')
  expect(JSON.stringify({ ...plain, data: undefined })).not.toContain(address)

  await pushSwitch(again).click()
  await again.getByRole('switch', { name: 'Notifications while this page is closed', checked: false }).waitFor()
  const left = await again.evaluate(async () => (await fetch('/api/v1/address/push')).json())
  expect(left).toMatchObject({ subscriptions: [] })
  await context.close()
})

test('goes on with a new secret, and ends when the browser opens another address', async () => {
  const { page, browser, send } = await told(stage, service)
  const [before] = await subscriptions(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'QR code' }).click()
  await page.getByRole('button', { name: 'Revoke old links' }).click()
  await page.getByRole('button', { name: 'Revoke old links' }).last().click()
  await expect
    .poll(() => subscriptions(page), { timeout: PATIENCE })
    .toEqual([expect.not.objectContaining({ createdAt: before!.createdAt })])
  await send('After the secret was replaced')
  await browser.until(1)

  const { secret } = await page.evaluate(async () => (await fetch('/api/v1/session/reveal', { method: 'POST' })).json())
  const other = await stage.visit()
  const { secret: elsewhere } = await other.page.evaluate(async () =>
    (await fetch('/api/v1/session/reveal', { method: 'POST' })).json(),
  )
  await page.goto(`${stage.program.url}/en?x#secret=${elsewhere}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Open address' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const listed = async () => {
    const response = await fetch(`${stage.program.url}/api/v1/address/push`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    return ((await response.json()) as { subscriptions: object[] }).subscriptions
  }
  await expect.poll(listed, { timeout: PATIENCE }).toEqual([])
  // The browser no longer tells which address it had.
  await expect.poll(() => pushSettings(page), { timeout: PATIENCE }).toMatchObject({ ids: [], addresses: {} })
  expect((await pushSettings(page)).addresses).toEqual({})
  await other.page.context().close()
  await page.context().close()
})

test('is off when the service has forgotten it, until it is switched on with another endpoint', async () => {
  const { page } = await told(stage, service)
  for (const { id } of await subscriptions(page))
    await fetch(`${stage.program.url}/api/v1/push/${id}`, { method: 'DELETE' })
  await page.reload()
  await page.locator('[data-status=live]').waitFor()
  await page.getByRole('button', { name: 'Options and shortcuts' }).click()
  await page.getByRole('switch', { name: 'Notifications while this page is closed', checked: false }).waitFor()
  await pushSwitch(page).click()
  await expect.poll(() => subscriptions(page), { timeout: PATIENCE }).toHaveLength(1)
  expect(await page.evaluate(() => localStorage.getItem('unsubscribed'))).toBe('yes')

  await expect.poll(() => pushSwitch(page).isChecked(), { timeout: PATIENCE }).toBe(true)
  await pushSwitch(page).click()
  await expect.poll(() => subscriptions(page), { timeout: PATIENCE }).toEqual([])
  await expect.poll(() => pushSettings(page)).toMatchObject({ ids: [] })
  await page.context().close()
})

test('goes on after links were revoked at the second attempt', async () => {
  const { page } = await told(stage, service)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'QR code' }).click()
  // The secret is replaced, but the response is lost, and so are the attempts to find out.
  let isLost = true
  await page.route('**/api/v1/address/secret', async (route) => {
    if (!isLost) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await page.route('**/api/v1/session', (route) => (isLost ? route.abort() : route.continue()))
  const revoke = page.getByRole('button', { name: 'Revoke old links' })
  await revoke.click()
  await revoke.last().click()
  await page.getByRole('alert').first().waitFor()
  isLost = false
  await revoke.last().click()
  await expect.poll(() => subscriptions(page), { timeout: PATIENCE }).toHaveLength(1)
  await page.context().close()
})

test('is renewed when the browser replaces its subscription', async () => {
  const { page, send } = await told(stage, service)
  const [before] = await subscriptions(page)
  // As if the subscriber had switched it on for another address before.
  const { ids, addresses } = await pushSettings(page)
  await leaveSettings(page, { ids: [...ids, 'other'], addresses: { ...addresses, other: 'other@mayfly.test' } })
  const renewed = service.browser()
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate((newSubscription) => {
    const event = new Event('pushsubscriptionchange')
    dispatchEvent(Object.assign(event, { newSubscription, waitUntil: () => {} }))
  }, renewed.subscription)
  await expect.poll(() => subscriptions(page), { timeout: PATIENCE }).toHaveLength(2)
  await send('To the new subscription')
  await renewed.until(1)
  await expect.poll(async () => (await pushSettings(page)).ids).toHaveLength(1)
  expect((await pushSettings(page)).ids).not.toContain(before!.id)
  expect(await pushSettings(page)).toMatchObject({ moved: ['other@mayfly.test'] })
  await page.context().close()
})

/** Functions that run in the page and make the service worker fail. */
const failures = {
  'is refused': () => {
    ServiceWorkerContainer.prototype.register = async () => Promise.reject(new DOMException('Refused', 'SecurityError'))
  },
  'cannot be installed': () => {
    const { register } = ServiceWorkerContainer.prototype
    // An offline page that does not exist.
    ServiceWorkerContainer.prototype.register = function registerOther(url) {
      return register.call(this, String(url).replace(/lang=[^&]+/, 'lang=none'))
    }
  },
}

test.each(Object.entries(failures))(
  'says that the browser cannot show notifications if the service worker %s',
  async (_name, fail) => {
    const { page } = await newVisit(stage.browser, { serviceWorkers: 'allow' })
    await page.addInitScript(fail)
    await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'granted' }))
    await page.goto(`${stage.program.url}/en`)
    await page.locator('[data-status=live]').waitFor()
    await page.getByRole('button', { name: 'Options and shortcuts' }).click()
    await page.getByText('Your browser can’t show notifications while this page is closed.').waitFor()
    await page.context().close()
  },
)
