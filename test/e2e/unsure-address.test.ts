import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAddress } from '#test/support/program/api.ts'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

const ADDRESSES = '/api/v1/addresses'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

describe('a tab that does not know whether an address was created', () => {
  const remember = (page: Page, secret: string) =>
    page.addInitScript((value) => sessionStorage.setItem('mayfly:new', value), `${secret}{"lifetime":"day"}`)

  const unsure = async (page: Page, path = '/en') => {
    const { address, secret } = await createAddress(stage.program.url)
    await remember(page, secret)
    const requests: string[] = []
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.goto(stage.program.url + path)
    await untilHydrated(page)
    return { address, requests }
  }

  test('opens it if the browser has none, and creates no other', async () => {
    const { page } = await newVisit(stage.browser)
    const { address, requests } = await unsure(page)
    await expect.poll(() => addressOn(page)).toBe(address)
    expect(requests).not.toContain(`POST ${ADDRESSES}`)
  })

  test.each(['random', 'refused'])('replaces the address that was opened since, not it: %s', async (wish) => {
    const { page, address } = await stage.visit()
    const { address: unknown, secret, get } = await createAddress(stage.program.url)
    await remember(page, secret)
    await page.goto(`${stage.program.url}/en/change`)
    await untilHydrated(page)
    await page.getByLabel('Name').fill(wish === 'refused' ? unknown.split('@')[0]! : 'since.opened')
    await page.getByLabel('Domain').selectOption(unknown.split('@')[1]!)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    if (wish === 'refused') {
      await page.getByText('This address is in use').waitFor()
      await page.goto(`${stage.program.url}/en`)
      expect(await addressOn(page)).toBe(address)
    } else {
      await expect.poll(() => addressOn(page)).toMatch(/^since\.opened@/)
      await page.getByRole('link', { name: 'Change' }).first().click()
      await page.getByRole('button', { name: `Use again ${address}` }).waitFor()
    }
    expect((await get('/api/v1/address')).status).toBe(200)
  })

  test('keeps the other address that the ten-minute page names', async () => {
    const { page, address } = await stage.visit()
    const { requests } = await unsure(page, '/en/10-minute-mail')
    await page.getByText(`Your current address ${address}`).waitFor()
    await page.waitForLoadState('networkidle')
    expect(requests).not.toContain('POST /api/v1/session')
  })

  test('keeps an address that was opened since', async () => {
    const { page, address } = await stage.visit()
    const { requests } = await unsure(page)
    await page.getByText('Live').first().waitFor()
    expect(await addressOn(page)).toBe(address)
    expect(requests).not.toContain('POST /api/v1/session')
  })
})
