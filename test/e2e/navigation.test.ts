import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOn } from '#test/support/program/browser.ts'
import { countLoads, openStage, type Stage, turnTo, untilAlive } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test('a new build is noticed in a tab that was away for long, and taken up at the next navigation', async () => {
  const { page, address } = await stage.visit()
  await page.clock.install()
  const asked: string[] = []
  await page.route('**/builds/latest.json', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ json: { id: 'a-newer-one' } })
  })
  const loads = countLoads(page)
  await turnTo(page, true)
  await page.clock.fastForward('09:00')
  await turnTo(page, false)
  await turnTo(page, true)
  await page.clock.fastForward('11:00')
  const [answer] = await Promise.all([page.waitForResponse('**/builds/latest.json'), turnTo(page, false)])
  await answer.finished()
  expect(asked).toHaveLength(1)
  expect(loads()).toBe(0)
  await page.getByRole('link', { name: 'Change' }).first().click()
  await page.getByRole('heading', { name: 'Choose your address' }).waitFor()
  expect(loads()).toBe(1)
  await untilAlive(page)
  await page.getByRole('link', { name: 'Back to the inbox' }).click()
  expect(await addressOn(page)).toBe(address)
  expect(loads()).toBe(1)
})

describe('a file of the page that is gone', () => {
  const opening = async (times: number) => {
    const visitor = await stage.visit()
    await visitor.send('Read me')
    await visitor.page.getByRole('link', { name: 'Read me', exact: true }).waitFor()
    await visitor.page.route(/assets\/message-[^/]+\.js/, (route) => route.abort(), { times })
    const loads = countLoads(visitor.page)
    await visitor.page.getByRole('link', { name: 'Read me', exact: true }).click()
    return { ...visitor, loads }
  }

  test('is had by loading the page whole', async () => {
    const { page } = await opening(1)
    await page.getByRole('heading', { name: 'Read me' }).waitFor()
    // And it is a page that works, not only one that is seen.
    await untilAlive(page)
    await page.getByRole('tab', { name: 'Headers' }).click()
    await page.locator('#message-body dl').waitFor()
  })

  test('for good never leads into a circle; the mail can be read as the server wrote it', async () => {
    const { page, loads } = await opening(100)
    await page.getByRole('heading', { name: 'Read me' }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.frameLocator('iframe').getByText('Read me').waitFor()
    expect(loads()).toBeLessThanOrEqual(3)
  })
})

test('of two ways only the last counts: a page that comes in late changes nothing', async () => {
  const { page } = await stage.visit()
  const title = await page.title()
  await page.getByRole('link', { name: 'Change' }).first().click()
  await page.getByRole('heading', { name: 'Choose your address' }).waitFor()
  await page.getByRole('link', { name: 'Back to the inbox' }).click()
  await page.getByRole('heading', { name: 'Your Temporary Email Address' }).waitFor()
  const late = Promise.withResolvers<void>()
  await page.route('**/change/_payload.json', async (route) => {
    await late.promise
    await route.continue()
  })
  // Without goBack, which waits for the page.
  await page.evaluate(() => history.back())
  await page.locator('main[aria-busy=true]').waitFor()
  await page.evaluate(() => history.forward())
  await page.locator('main[aria-busy=false]').waitFor()
  const answer = page.waitForResponse('**/change/_payload.json')
  late.resolve()
  await (await answer).finished()
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  expect(await page.title()).toBe(title)
  expect(await page.locator('h1').textContent()).toBe('Your Temporary Email Address')
  expect(new URL(page.url()).pathname).toBe('/en')
})
