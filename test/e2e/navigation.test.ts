import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOn } from '#test/support/program/browser.ts'
import { countLoads, openStage, type Stage, setHidden, untilHydrated } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test('detects a new build in a tab that was hidden for long and loads it at the next navigation', async () => {
  const { page, address } = await stage.visit()
  await page.clock.install()
  const checks: string[] = []
  await page.route('**/builds/latest.json', (route) => {
    checks.push(route.request().url())
    return route.fulfill({ json: { id: 'a-newer-one' } })
  })
  const loads = countLoads(page)
  await setHidden(page, true)
  await page.clock.fastForward('09:00')
  await setHidden(page, false)
  await setHidden(page, true)
  await page.clock.fastForward('11:00')
  const [response] = await Promise.all([page.waitForResponse('**/builds/latest.json'), setHidden(page, false)])
  await response.finished()
  expect(checks).toHaveLength(1)
  expect(loads()).toBe(0)
  await page.getByRole('link', { name: 'Change' }).first().click()
  await page.getByRole('heading', { name: 'Choose your address' }).waitFor()
  expect(loads()).toBe(1)
  await untilHydrated(page)
  await page.getByRole('link', { name: 'Back to inbox' }).click()
  expect(await addressOn(page)).toBe(address)
  expect(loads()).toBe(1)
})

describe('a missing file of a page', () => {
  const openWithFailures = async (times: number) => {
    const visitor = await stage.visit()
    await visitor.send('Read me')
    await visitor.page.getByRole('link', { name: 'Read me', exact: true }).waitFor()
    await visitor.page.route(/assets\/message-[^/]+\.js/, (route) => route.abort(), { times })
    const loads = countLoads(visitor.page)
    await visitor.page.getByRole('link', { name: 'Read me', exact: true }).click()
    return { ...visitor, loads }
  }

  test('leads to a full load of the page', async () => {
    const { page } = await openWithFailures(1)
    await page.getByRole('heading', { name: 'Read me' }).waitFor()
    // The page must be interactive, not only visible.
    await untilHydrated(page)
    await page.getByText('Details', { exact: true }).click()
    await page.getByRole('tab', { name: 'Headers' }).click()
    await page.locator('#message-body dl').waitFor()
  })

  test('causes no reload loop; the message is readable as rendered by the server', async () => {
    const { page, loads } = await openWithFailures(100)
    await page.getByRole('heading', { name: 'Read me' }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.frameLocator('iframe:not([aria-hidden])').getByText('Read me').waitFor()
    expect(loads()).toBeLessThanOrEqual(3)
  })
})

test('ignores the late payload of a canceled navigation', async () => {
  const { page } = await stage.visit()
  const title = await page.title()
  await page.getByRole('link', { name: 'Change' }).first().click()
  await page.getByRole('heading', { name: 'Choose your address' }).waitFor()
  await page.getByRole('link', { name: 'Back to inbox' }).click()
  await page.getByRole('heading', { name: 'Your Temporary Email Address' }).waitFor()
  const late = Promise.withResolvers<void>()
  await page.route('**/change/_payload.json', async (route) => {
    await late.promise
    await route.continue()
  })
  // Not page.goBack(), which waits for the page.
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

test('Back closes a popover and a dialog that are open over the page', async () => {
  const { page } = await stage.visit()
  const toPrivacy = async (): Promise<void> => {
    await page.getByRole('link', { name: 'Privacy', exact: true }).last().click()
    await page.waitForURL('**/en/privacy')
  }
  await toPrivacy()
  await page.locator('[popovertarget=languages]').click()
  await page.goBack()
  await page.getByText('Your inbox is empty').waitFor()
  expect(await page.locator('#languages').isVisible()).toBe(false)
  await toPrivacy()
  await page.getByRole('link', { name: 'Premium' }).first().click()
  await page.getByRole('dialog', { name: 'Premium' }).waitFor()
  await page.goBack()
  await page.getByText('Your inbox is empty').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a link to the page that is shown adds no history entry', async () => {
  const { page } = await stage.visit()
  await page.getByRole('link', { name: 'Privacy', exact: true }).last().click()
  await page.waitForURL('**/en/privacy')
  const entries = await page.evaluate(() => history.length)
  await page.evaluate(() => scrollTo(0, 500))
  await Promise.all([
    page.waitForResponse('**/_payload.json'),
    page.getByRole('link', { name: 'Privacy', exact: true }).last().dispatchEvent('click'),
  ])
  // As after a link to another page.
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  expect(await page.evaluate(() => history.length)).toBe(entries)
  await page.goBack()
  await page.getByText('Your inbox is empty').waitFor()
})

test('the list that takes the place of a deleted message starts at its top', async () => {
  const { page, send } = await stage.visit()
  await send('Long', { text: 'line\n'.repeat(400) })
  await page.getByRole('link', { name: 'Long', exact: true }).click()
  await page.getByRole('heading', { name: 'Long' }).waitFor()
  await page.locator('article iframe').first().waitFor()
  await expect.poll(() => page.evaluate(() => (scrollTo(0, 3000), scrollY))).toBeGreaterThan(1000)
  await page.keyboard.press('#')
  await page.getByText('Your inbox is empty').waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.context().close()
})

test('Enter follows the first language that is found, but not while an input method composes', async () => {
  const { page } = await stage.visit()
  await page.locator('[popovertarget=languages]').click()
  const search = page.locator('#languages input')
  const links = page.locator('#languages a')
  const all = await links.count()
  // Nothing is found: every language is shown, and Enter chooses none.
  await search.fill('Klingon')
  await search.press('Enter')
  expect(await links.count()).toBe(all)
  expect(await page.locator('#languages').isVisible()).toBe(true)
  await search.fill('espanol')
  await expect.poll(() => links.allInnerTexts()).toEqual(['Español'])
  await search.fill('German')
  await search.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  expect(await page.locator('#languages').isVisible()).toBe(true)
  await search.press('Enter')
  await page.waitForURL('**/de')
  expect(await page.locator('#languages').isVisible()).toBe(false)
})

test('a navigation that was given up is not the target of a later reload', async () => {
  const { page } = await stage.visit()
  await page.route('**/privacy/_payload.json', () => {})
  await page.getByRole('link', { name: 'Privacy', exact: true }).last().click()
  await page.locator('main[aria-busy=true]').waitFor()
  await page.evaluate(() => (location.hash = 'main'))
  await page.locator('main[aria-busy=false]').waitFor()
  const loaded = page.waitForRequest((request) => request.isNavigationRequest())
  await page.evaluate(() => dispatchEvent(new Event('vite:preloadError')))
  expect(new URL((await loaded).url()).pathname).toBe('/en')
})

test('a page that is slow to load shows a line at the top, which ends with it', async () => {
  const { page } = await stage.visit({ reducedMotion: 'no-preference' })
  let deliver = (): void => {}
  const delivered = new Promise<void>((resolve) => (deliver = resolve))
  await page.route(/\/en\/change/, async (route) => {
    await delivered
    await route.continue()
  })
  const line = () =>
    page.locator('main').evaluate((main) => {
      const { content, position, opacity } = getComputedStyle(main, '::before')
      return content === 'none' ? 'none' : `${position} ${opacity}`
    })
  expect(await line()).toBe('none')
  await page.getByRole('link', { name: 'Change', exact: true }).first().click()
  await expect.poll(line).toBe('fixed 1')
  deliver()
  await page.getByRole('heading', { name: 'Choose your address' }).waitFor()
  expect(await line()).toBe('none')
})
