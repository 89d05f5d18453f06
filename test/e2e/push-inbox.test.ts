import type { Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakePushService, startPushService } from '#test/support/fakes/push-service.ts'
import { leaveSettings, pushSettings, subscriptions, told } from './push-stage.ts'
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

const other = { subscription: 'other', address: 'other@mayfly.test' }

interface Reaction {
  /** The texts of the notifications. */
  shown: string[]
  did: string[]
  badges: number[]
}

/**
 * What the worker does when a message arrives, and when its notification is clicked. Its events are called as functions,
 * because it does not wait for those that a test dispatches.
 */
const reactions = (worker: Worker, to: { subscription?: string; address?: string } = {}): Promise<Reaction> =>
  worker.evaluate(async ({ subscription, address }) => {
    const scope = self as unknown as {
      notify(push: object): Promise<void>
      open(home: string, address?: string): Promise<void>
      clients: { openWindow: (url: string) => Promise<null> }
      registration: ServiceWorkerRegistration
      WindowClient: { prototype: { focus: () => Promise<unknown> } }
    }
    const did: string[] = []
    const shown: string[] = []
    const badges: number[] = []
    let data: { home: string; address?: string } = { home: '/en', ...(address && { address }) }
    scope.registration.showNotification = async (_, options) => {
      shown.push(options?.body ?? '')
      data = options?.data as typeof data
    }
    // A headless browser has no badges, and ends a worker that sets one.
    Object.assign(navigator, { setAppBadge: async (count: number) => badges.push(count) })
    scope.clients.openWindow = async (url) => {
      did.push(`open ${url}`)
      return null
    }
    scope.WindowClient.prototype.focus = async () => did.push('focus')
    await scope.notify({ id: 'm', count: 1, subscription })
    await scope.open(data.home, data.address)
    return { shown, did, badges }
  }, to)

const silent: Reaction = { shown: [], did: ['focus'], badges: [1] }
const loud: Reaction = { shown: ['You have a new email'], did: ['open /en'], badges: [1] }

test('is silent only while a visible page shows the inbox, to which a click leads', async () => {
  const { page, send } = await told(stage, service)
  const [worker] = page.context().serviceWorkers()
  await page.keyboard.press('Escape')
  const follow = async (href: string, heading: string): Promise<void> => {
    await page.locator(`a[href="${href}"]`).last().click()
    await page.getByRole('heading', { name: heading }).first().waitFor()
  }
  expect(await reactions(worker!)).toEqual(silent)
  await send('Open me')
  await page.getByRole('link', { name: 'Open me', exact: true }).click()
  await page.getByRole('heading', { name: 'Open me' }).waitFor()
  expect(await reactions(worker!)).toEqual(silent)
  await follow('/en/contact', 'Contact')
  expect(await reactions(worker!)).toEqual(loud)
  await follow('/en/10-minute-mail', 'minute')
  expect(await reactions(worker!)).toEqual(silent)
  // The input of another page stays.
  await page.goto(`${stage.program.url}/en/contact`)
  await page.getByLabel('Name').fill('Ada')
  await expect.poll(() => reactions(worker!)).toEqual(loud)
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada')
  await page.context().close()
})

test('tells of a message to another address than that of the visible inbox', async () => {
  const { page, address } = await told(stage, service)
  const [worker] = page.context().serviceWorkers()
  // As if the subscriber had switched it on for another address before.
  const [{ id } = { id: '' }] = await subscriptions(page)
  const { ids, addresses } = await pushSettings(page)
  expect(addresses).toEqual({ [id]: address })
  await leaveSettings(page, { ids: [...ids, 'other'], addresses: { ...addresses, other: other.address } })
  const own = { subscription: id, address }
  expect(await reactions(worker!, own)).toEqual(silent)
  const shown = ['You have a new email\nother@mayfly.test']
  expect(await reactions(worker!, other)).toEqual({ shown, did: ['open /en/account'], badges: [] })
  // No inbox is open.
  await page.goto(`${stage.program.url}/en/contact`)
  await expect.poll(() => reactions(worker!, other)).toEqual({ shown, did: ['open /en/account'], badges: [1] })
  expect(await reactions(worker!, own)).toEqual({
    shown: [`You have a new email\n${address}`],
    did: ['open /en'],
    badges: [1],
  })
  // Of a subscription of an earlier build the address is not known.
  expect(await reactions(worker!, { subscription: 'unknown' })).toEqual(loud)
  await page.context().close()
})

test('tells of a message to the only address with notifications if another one is open, or none', async () => {
  const { page } = await told(stage, service)
  const [worker] = page.context().serviceWorkers()
  await leaveSettings(page, { ids: ['other'], addresses: { other: other.address } })
  const reaction = { shown: ['You have a new email\nother@mayfly.test'], did: ['open /en/account'] }
  expect(await reactions(worker!, other)).toEqual({ ...reaction, badges: [] })
  await page.goto(`${stage.program.url}/en/contact`)
  await expect.poll(() => reactions(worker!, other)).toEqual({ ...reaction, badges: [1] })
  await page.context().clearCookies()
  expect(await reactions(worker!, other)).toEqual({ ...reaction, badges: [1] })
  await page.context().close()
})
