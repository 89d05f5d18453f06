import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { list } from '#test/support/fixtures/kept-client.ts'
import { loseResponse } from './lost-response.ts'
import { phraseOn, subscriberOn } from './private-stage.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const CREATED = '/api/v1/account/private-addresses'
const create = (page: Page) => page.getByRole('button', { name: 'Create address' })

async function typeName(page: Page, login: string): Promise<void> {
  await page.getByLabel('Name').first().fill(login)
  await page.getByLabel('Domain').selectOption('mayfly.test')
}

/** Creates an address whose response is lost. */
async function loseAddress(page: Page, login: string): Promise<void> {
  const lost = await loseResponse(page, 'POST', CREATED)
  await typeName(page, login)
  await create(page).click()
  await page.getByRole('alert').getByText('No connection.').first().waitFor()
  expect(await lost.carriedOut).toBe(201)
}

/** Waits for the phrase of this address, and confirms that it was saved. */
async function savePhrase(page: Page, address: string): Promise<void> {
  await page.getByText('Save your recovery phrase').waitFor()
  await page.getByText(address).waitFor()
  const words = await phraseOn(page)
  expect(words.split(' ')).toHaveLength(24)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Open inbox' }).click()
  await page.locator('[data-status=live]').waitFor()
  const stored = await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('unsaved')))
  expect(stored).toEqual([])
  // Once it was saved, it isn't shown again.
  await page.reload()
  await page.locator('[data-status=live]').waitFor()
}

test('a recovery phrase is shown at the next press after the response was lost', async () => {
  const { page, client } = await subscriberOn(stage, 'lost.private@real.example', '/en/private')
  await loseAddress(page, 'lost.private')
  await create(page).click()
  await savePhrase(page, 'lost.private@mayfly.test')
  expect((await list(client)).map(({ address }) => address)).toEqual(['lost.private@mayfly.test'])
})

test('a recovery phrase is shown at a press that asks for another name', async () => {
  const { page, client } = await subscriberOn(stage, 'lost.other@real.example', '/en/private')
  await loseAddress(page, 'lost.one')
  await typeName(page, 'lost.two')
  await create(page).click()
  await savePhrase(page, 'lost.one@mayfly.test')
  expect((await list(client)).map(({ address }) => address)).toEqual(['lost.one@mayfly.test'])
})

test('a recovery phrase is shown after a reload, and on the page of the address', async () => {
  const { page, client } = await subscriberOn(stage, 'lost.reload@real.example', '/en/private')
  await loseAddress(page, 'lost.phrase')
  await page.reload()
  await page.getByText('Save your recovery phrase').waitFor()
  const words = await phraseOn(page)
  page.on('dialog', (dialog) => void dialog.accept())
  const [{ id } = { id: '' }] = await list(client)
  await page.goto(`${stage.program.url}/en/private?address=${id}`)
  await page.getByText('Save your recovery phrase').waitFor()
  expect(await phraseOn(page)).toBe(words)
  await savePhrase(page, 'lost.phrase@mayfly.test')
})

test('a page that shows a recovery phrase does not store the key again that another tab has locked', async () => {
  const { page } = await subscriberOn(stage, 'lost.locked@real.example', '/en/private')
  await typeName(page, 'lost.locked')
  await create(page).click()
  await page.getByText('Save your recovery phrase').waitFor()
  const words = await phraseOn(page)
  const keys = (run: 'count' | 'clear'): Promise<unknown> =>
    page.evaluate(async (method) => {
      const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve) => request.addEventListener('success', () => resolve(request.result)))
      const database = await resultOf(indexedDB.open('mayfly'))
      const store = database.transaction('private-keys', 'readwrite').objectStore('private-keys')
      const result = await resultOf(store[method]() as IDBRequest<unknown>)
      database.close()
      return result
    }, run)
  expect(await keys('count')).toBe(1)
  await keys('clear')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText('Save your recovery phrase').waitFor()
  expect(await phraseOn(page)).toBe(words)
  expect(await keys('count')).toBe(0)
  await page.getByText('This browser doesn’t store the key.').waitFor()
})

test('a recovery phrase is shown after the page was left during the request, which the browser asks about', async () => {
  const { page } = await subscriberOn(stage, 'lost.left@real.example', '/en/private')
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  const { promise: created, resolve: onCreated } = Promise.withResolvers<void>()
  await page.route(`**${CREATED}`, async (route) => {
    const response = await route.fetch()
    onCreated()
    await allowed
    await route.fulfill({ response }).catch(() => {})
  })
  await typeName(page, 'lost.left')
  await create(page).click()
  await created
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.getByRole('link', { name: 'Contact' }).first().click()
  await page.getByRole('heading', { name: 'Contact' }).waitFor()
  expect(asked).toEqual(['beforeunload'])
  allow()
  await page.goto(`${stage.program.url}/en/private`)
  await savePhrase(page, 'lost.left@mayfly.test')
})

test('a recovery phrase is not shown for an address that was deleted meanwhile, which does not keep its name from the next one', async () => {
  const { page, client } = await subscriberOn(stage, 'lost.deleted@real.example', '/en/private')
  await loseAddress(page, 'lost.deleted')
  const [{ id } = { id: '' }] = await list(client)
  expect((await client.send('DELETE', `/api/v1/account/addresses/${id}`)).status).toBe(204)
  await page.reload()
  await untilHydrated(page)
  await typeName(page, 'lost.next')
  await create(page).click()
  await savePhrase(page, 'lost.next@mayfly.test')
})
