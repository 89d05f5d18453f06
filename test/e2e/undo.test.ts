import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createAddress } from '#test/support/program/api.ts'
import { closeContexts } from '#test/support/program/browser.ts'
import { link, type ListStage, openListStage, remove, rows } from './list-stage.ts'
import type { Visitor } from './stage.ts'

let stage: ListStage
beforeAll(async () => {
  stage = await openListStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

const undo = ({ page }: Visitor) => page.getByRole('button', { name: 'Undo', exact: true })
const bar = ({ page }: Visitor) => page.getByText(/^Deleted: \d/)
/** Away from the bar. */
const pointAway = ({ page }: Visitor) => page.mouse.move(0, 0)

/** Stops the clock, as time would pass while a test waits. */
async function stopClock({ page }: Visitor): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

test.each(['pointer', 'focus'])(
  'after Undo by its key with the %s on the bar, the next deletion is carried out',
  async (by) => {
    const visitor = await stage.withMessages('Two', 'One')
    const { page } = visitor
    await remove(visitor, 'One')
    await (by === 'pointer' ? undo(visitor).hover() : undo(visitor).focus())
    await page.keyboard.press('u')
    await link(visitor, 'One').waitFor()
    await pointAway(visitor)
    await stopClock(visitor)
    await remove(visitor, 'Two')
    await expect.poll(() => rows(visitor).count()).toBe(1)
    await page.clock.fastForward(8100)
    await expect.poll(() => stage.stored(visitor)).toEqual(['One'])
  },
)

test('while the request runs, Undo is not offered, and pointing there holds nothing up', async () => {
  const visitor = await stage.withMessages('Two', 'One')
  const { page } = visitor
  const gate = Promise.withResolvers<void>()
  await page.route('**/messages/delete', async (route) => {
    await gate.promise
    await route.continue()
  })
  await stopClock(visitor)
  await remove(visitor, 'One')
  const { x, y } = (await undo(visitor).boundingBox())!
  const request = page.waitForRequest('**/messages/delete')
  await page.clock.fastForward(8100)
  await request
  await undo(visitor).waitFor({ state: 'detached' })
  expect(await rows(visitor).count()).toBe(1)
  await page.mouse.move(x + 5, y + 5)
  gate.resolve()
  await expect.poll(() => stage.stored(visitor)).toEqual(['Two'])
  await pointAway(visitor)
  await remove(visitor, 'Two')
  await undo(visitor).waitFor()
  await page.clock.fastForward(8100)
  await expect.poll(() => stage.stored(visitor)).toEqual([])
})

test('when an address is deleted, its pending deletions end without an error', async () => {
  const visitor = await stage.withMessages('Stays', 'Goes')
  const { page } = visitor
  await remove(visitor, 'Goes')
  await bar(visitor).waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This address is no longer active').waitFor()
  expect(await bar(visitor).count()).toBe(0)
})

test('a deletion that comes after the end of its address is no failure', async () => {
  const visitor = await stage.withMessages('Goes')
  const { page } = visitor
  await stopClock(visitor)
  await remove(visitor, 'Goes')
  await bar(visitor).waitFor()
  // The page does not learn of the end before the deletion is due.
  await page.route('**/api/v1/address', (route) => route.abort())
  await page.request.delete(`${stage.program.url}/api/v1/address`, { headers: { origin: stage.program.url } })
  const response = page.waitForResponse('**/messages/delete')
  await page.clock.fastForward(8100)
  expect((await response).status()).toBe(204)
  await bar(visitor).waitFor({ state: 'detached' })
  expect(await page.getByText('Not deleted: 1').count()).toBe(0)
})

test.each([
  ['carried out', 204, ['Stays'], 0],
  ['reported as failed if the browser forgot the address', 401, ['Goes', 'Stays'], 1],
])('when another window has opened another address, a deletion is %s', async (_, status, left, failures) => {
  const visitor = await stage.withMessages('Stays', 'Goes')
  const { page } = visitor
  const { url } = stage.program
  const headers = { origin: url }
  await stopClock(visitor)
  await remove(visitor, 'Goes')
  await bar(visitor).waitFor()
  const revealed = await page.request.post(`${url}/api/v1/session/reveal`, { headers })
  const { secret: own } = (await revealed.json()) as { secret: string }
  const { secret } = await createAddress(url)
  await page.request.post(`${url}/api/v1/session`, { data: { secret }, headers })
  if (failures > 0) await page.request.post(`${url}/actions/forget`, { form: {}, headers })
  const response = page.waitForResponse('**/messages/delete')
  await page.clock.fastForward(8100)
  expect((await response).status()).toBe(status)
  await bar(visitor).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText('Not deleted: 1').count()).toBe(failures)
  await expect.poll(() => rows(visitor).count()).toBe(left.length)
  await page.request.post(`${url}/api/v1/session`, { data: { secret: own }, headers })
  expect(await stage.stored(visitor)).toEqual(left)
})

test('a message that can still be restored is not lost to a new address without a question', async () => {
  const visitor = await stage.withMessages('Restored')
  const { page, address } = visitor
  await remove(visitor, 'Restored')
  await bar(visitor).waitFor()
  await page.getByRole('button', { name: 'New random address' }).click()
  await page.getByRole('dialog').getByText(address).waitFor()
  await page.keyboard.press('Escape')
  await undo(visitor).click()
  await link(visitor, 'Restored').waitFor()

  await remove(visitor, 'Restored')
  await page.getByRole('button', { name: 'New random address' }).click()
  await page.getByRole('dialog').getByRole('button').last().click()
  await expect.poll(() => page.locator('output').textContent()).not.toBe(address)
  expect(await bar(visitor).count()).toBe(0)
})

test.each(['/en', '/en/api'])('on %s, Undo disappears when another window replaces the address', async (path) => {
  const visitor = await stage.withMessages('Goes')
  const { page } = visitor
  await stopClock(visitor)
  await remove(visitor, 'Goes')
  await bar(visitor).waitFor()
  if (path !== '/en') {
    await page.getByRole('contentinfo').getByRole('link', { name: 'API', exact: true }).click()
    await page.waitForURL(`**${path}`)
  }
  const { url } = stage.program
  const response = page.waitForResponse('**/messages/delete')
  await page.request.post(`${url}/api/v1/addresses`, { data: { replace: true }, headers: { origin: url } })
  // The page checks its address half a second after the end of the stream.
  const bars = async (): Promise<number> => page.clock.runFor(100).then(() => bar(visitor).count())
  await expect.poll(bars, { interval: 100, timeout: 6000 }).toBe(0)
  // The messages went with their address: nothing failed.
  expect((await response).status()).toBe(204)
})
