import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { FakePushService } from '#test/support/fakes/push-service.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import type { Stage } from './stage.ts'

type Subscription = ReturnType<FakePushService['browser']>['subscription']

/**
 * Runs in the page. A headless browser denies notifications even if they were granted, and without a connection to its
 * maker no browser subscribes. Everything else is real.
 */
export function grantPush(subscription: Subscription): void {
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  Notification.requestPermission = async () => 'granted'
  // A browser keeps its subscription when a page is reloaded.
  const KEY = 'subscribed with'
  const subscribed = () => {
    const key = localStorage.getItem(KEY)
    if (key === null) return null
    const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
    const { buffer } = Uint8Array.from(text, (each) => each.charCodeAt(0))
    return {
      options: { applicationServerKey: buffer },
      toJSON: () => subscription,
      async unsubscribe() {
        localStorage.removeItem(KEY)
        localStorage.setItem('unsubscribed', 'yes')
        return true
      },
    }
  }
  Object.assign(PushManager.prototype, {
    getSubscription: async () => subscribed(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      localStorage.setItem(KEY, applicationServerKey)
      return subscribed()
    },
  })
}

export const pushSwitch = (page: Page) => page.getByRole('switch', { name: 'Notifications while this page is closed' })

/** A visitor who is told of new email, with the service worker. */
export async function told(stage: Stage, service: FakePushService) {
  const browser = service.browser()
  const visitor = await stage.visit({ serviceWorkers: 'allow' })
  const { page } = visitor
  await page.addInitScript(grantPush, browser.subscription)
  await page.reload()
  await page.locator('[data-status=live]').waitFor()
  await page.getByRole('button', { name: 'Options and shortcuts' }).click()
  await pushSwitch(page).click()
  await expect.poll(() => pushSwitch(page).isChecked(), { timeout: PATIENCE }).toBe(true)
  return { ...visitor, browser }
}
export const subscriptions = (page: Page): Promise<{ id: string; createdAt: string }[]> =>
  page.evaluate(async () => (await (await fetch('/api/v1/address/push')).json()).subscriptions)

/** The settings that the pages store for the service worker. */
export const pushSettings = (page: Page): Promise<{ ids: string[]; addresses: Record<string, string> }> =>
  page.evaluate(async () => (await (await caches.open('push')).match('/push-settings'))!.json())
export const leaveSettings = (page: Page, changes: object): Promise<void> =>
  page.evaluate(async (changed) => {
    const cache = await caches.open('push')
    const settings = await (await cache.match('/push-settings'))!.json()
    await cache.put('/push-settings', Response.json({ ...settings, ...changed }))
  }, changes)
