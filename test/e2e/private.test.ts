import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { formsOf } from '#test/support/fixtures/byte-search.ts'
import { Canaries } from '#test/support/fixtures/canaries.ts'
import { withStore } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { secretsIn } from '../../src/web/private/phrase.ts'
import {
  type Device,
  type PrivateAddress,
  messageIn,
  makeAddress,
  openPrivateStage,
  type PrivateStage,
  phraseOn,
} from './private-stage.ts'
import { violations } from './violations.ts'

let stage: PrivateStage
beforeAll(async () => {
  stage = await openPrivateStage('ann@real.example', { MAYFLY_SWEEP_SECONDS: '1' })
})
afterAll(() => stage.close())

test('requires signing in', async () => {
  const { page } = await newVisit(stage.browser)
  await page.goto(`${stage.program.url}/en/private`)
  expect(await page.getByRole('link', { name: 'Sign in to Premium' }).getAttribute('href')).toBe('/en/account')
})

describe('a private address', () => {
  let first: Device
  let made: PrivateAddress
  const canaries = new Canaries()
  const mail = canaries.mail(1, '')
  beforeAll(async () => {
    first = await stage.device('/en')
    await first.page.locator('[data-status=live]').waitFor()
    // Simulates client-side navigation, so that going back stays within the page.
    await first.page.evaluate(() => {
      history.pushState(null, '', '/en/private')
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
    })
    await first.page.getByRole('heading', { name: 'Fully private address' }).waitFor()
  })

  test('is usable only after its recovery phrase was saved', async () => {
    const { page } = first
    await page.getByLabel('Name').first().fill('velvet.vault')
    await page.getByLabel('Domain').selectOption('vip.mayfly.test')
    await page.getByRole('button', { name: 'Create address' }).click()
    await page.getByText('Save your recovery phrase').waitFor()
    const words = await phraseOn(page)
    expect(words.split(' ')).toHaveLength(24)
    expect(await violations(page)).toEqual([])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download recovery file' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('mayfly-velvet.vault@vip.mayfly.test.txt')
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toContain(words)
    expect(text).toContain(`${stage.program.url}/en/account`)
    const open = page.getByRole('button', { name: 'Open inbox' })
    expect(await open.isDisabled()).toBe(true)
    // Going back keeps the phrase.
    await page.goBack()
    await page.waitForURL(/\/private$/)
    expect(await phraseOn(page)).toBe(words)
    await page.getByRole('checkbox').check()
    await open.click()
    await page.locator('[data-status=live]').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('velvet.vault@vip.mayfly.test')
    const { pathname, search } = new URL(page.url())
    made = { address: 'velvet.vault@vip.mayfly.test', path: pathname + search, words }
  })

  test('shows a message with its code when it arrives', async () => {
    const { page } = first
    await sendMail(stage.program.smtpPort, { ...mail, to: made.address, date: new Date('2003-07-01T12:00:00Z') })
    await page.getByRole('link', { name: mail.subject, exact: true }).waitFor()
    await page.getByText(canaries.codes[0]!, { exact: true }).waitFor()
    await page.getByRole('button', { name: `Copy the code ${canaries.codes[0]}` }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(1\)/)
    expect(await violations(page)).toEqual([])
  })

  test('opens the message with its attachment byte for byte', async () => {
    const { page } = first
    await page.getByRole('link', { name: mail.subject, exact: true }).click()
    await messageIn(page).getByText('Your verification code is').waitFor()
    await page.getByText('Details', { exact: true }).click()
    for (const label of ['Date', 'Subject', 'Resources'])
      expect(await page.getByText(label, { exact: true }).isVisible()).toBe(true)
    await page
      .locator('dl')
      .getByText(/^July 1, 2003 at /)
      .waitFor()
    expect(await page.getByText(/^Arrived /).isVisible()).toBe(true)
    expect(await violations(page)).toEqual([])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /\.txt/ }).click(),
    ])
    expect(file.suggestedFilename()).toBe(mail.attachments[0]!.filename)
    expect(await readFile(await file.path(), 'utf8')).toBe(mail.attachments[0]!.content)
    await page.getByRole('tab', { name: 'Text' }).click()
    await messageIn(page).getByText(mail.text.split('\n')[0]!).waitFor()
    await page.getByRole('tab', { name: 'Source' }).click()
    await page.getByText(/^Return-Path: </).waitFor()
    await page.getByRole('link', { name: 'Back to the list' }).click()
    // The message is now marked as seen on all devices.
    await expect.poll(() => page.title()).not.toMatch(/^\(/)
  })

  test('opens on another device only by its recovery phrase', async () => {
    const second = await stage.device(made.path)
    const { page } = second
    await page.getByText('The key isn’t on this device').waitFor()
    expect(await violations(page)).toEqual([])
    const phrase = page.getByLabel('Recovery phrase (24 words)')
    for (const wrong of ['nothing at all', made.words.split(' ').toReversed().join(' ')]) {
      await phrase.fill(wrong)
      await page.getByRole('button', { name: 'Unlock' }).click()
      await page.getByText('These words don’t open this address.').waitFor()
    }
    await phrase.fill(made.words)
    // The input is not stored when the page is left.
    await page.getByRole('link', { name: 'Contact' }).click()
    await page.getByRole('heading', { name: 'Contact' }).waitFor()
    const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))
    expect(stored).not.toContain(made.words.split(' ').slice(0, 2).join(' '))
    await page.goBack()
    await phrase.fill(made.words.toUpperCase())
    await page.getByRole('button', { name: 'Unlock' }).click()
    await page.getByRole('link', { name: mail.subject, exact: true }).click()
    await messageIn(page).getByText('Your verification code is').waitFor()
    // The key is stored on this device and is not extractable.
    const extractable = await page.evaluate(async () => {
      const result = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve) => request.addEventListener('success', () => resolve(request.result)))
      const database = await result(indexedDB.open('mayfly'))
      const kept = await result(database.transaction('private-keys').objectStore('private-keys').getAll())
      database.close()
      return kept.map((keys: { privateKey: CryptoKey }) => keys.privateKey.extractable)
    })
    expect(extractable).toEqual([false])
    await page.reload()
    await messageIn(page).getByText('Your verification code is').waitFor()
    expect(second.pageErrors).toEqual([])
    first.sent.push(...second.sent)
    await second.context.close()
  })

  test('opens by its recovery file until it is locked', async () => {
    const third = await stage.device(made.path)
    const { page } = third
    const file = {
      name: 'recovery.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(`Mayfly\n\n${made.words}\n\nKeep it.`),
    }
    await page.getByLabel('Or the recovery file').setInputFiles(file)
    await page.getByRole('link', { name: mail.subject, exact: true }).waitFor()
    const other = await third.context.newPage()
    await other.goto(stage.program.url + made.path)
    await other.getByRole('link', { name: mail.subject, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    const lock = page.getByRole('dialog').getByRole('button', { name: 'Lock', exact: true })
    // As with a full disk. The button stays, because the key does.
    await page.evaluate(() => {
      const { prototype } = IDBObjectStore
      const remove = prototype.delete
      prototype.delete = () => {
        prototype.delete = remove
        throw new DOMException('Full', 'QuotaExceededError')
      }
    })
    await lock.click()
    await page.getByRole('dialog').getByRole('alert').getByText('Something went wrong').waitFor()
    await lock.click()
    await page.getByText('The key isn’t on this device').waitFor()
    await other.getByText('The key isn’t on this device').waitFor()
    await page.reload()
    await page.getByText('The key isn’t on this device').waitFor()
    first.sent.push(...third.sent)
    await third.context.close()
  })

  test('deletes a message', async () => {
    const { page } = first
    await sendMail(stage.program.smtpPort, { to: made.address, subject: 'to be deleted', text: 'soon' })
    await page.getByRole('link', { name: 'to be deleted', exact: true }).click()
    await page.locator('article').waitFor()
    const other = await first.context.newPage()
    await other.goto(page.url())
    await expect.poll(() => other.title()).toBe('to be deleted')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: mail.subject, exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'to be deleted', exact: true }).count()).toBe(0)
    // Leaving the page ends the time for "Undo".
    await page.reload()
    await other.getByRole('heading', { name: 'This email has been deleted.' }).waitFor()
    await expect.poll(() => other.title()).toBe('This email has been deleted.')
    await other.close()
  })

  test('sent neither its secret nor the content of its messages', async () => {
    const search = canaries.search()
    const [secret] = secretsIn(made.words)
    for (const form of formsOf(Buffer.from(secret!))) search.add('the secret', form)
    // With every likely separator between the words.
    const beginning = made.words.split(' ').slice(0, 3)
    for (const separator of [' ', '%20', '+', ',', '%2C', '-', '\n', '%0A', '","', '&quot;,&quot;'])
      for (const form of formsOf(beginning.join(separator))) search.add('the words', form)
    const requests = Buffer.concat(first.sent)
    expect(requests.length).toBeGreaterThan(10_000)
    expect([...search.in(requests)]).toEqual([])
    expect(await search.inFiles(stage.program.dataDir)).toEqual([])
    expect([...search.in(Buffer.from([...stage.program.stdout, ...stage.program.stderr].join('\n')))]).toEqual([])
    expect(first.pageErrors).toEqual([])
  })
})

test('says that this device cannot read the attachments of a message', async () => {
  const device = await stage.device()
  const { page } = device
  const { address } = await makeAddress(device, 'too.slow')
  const attachments = ['one.txt', 'two.txt'].map((filename) => ({ filename, content: filename }))
  await sendMail(stage.program.smtpPort, { to: address, subject: 'two files', text: 'hello', attachments })
  await page.getByRole('link', { name: 'two files', exact: true }).click()
  await messageIn(page).getByText('hello').waitFor()
  // As if the worker had no time to read them.
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function plainly(this: Worker, message: object) {
      postMessage.call(this, { ...message, plain: true })
    }
  })
  const failed = page.getByText('Something went wrong.')
  await page.getByRole('button', { name: /one\.txt/ }).click()
  await failed.waitFor()
  // Its message can still be downloaded.
  await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  await failed.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Download all' }).click()
  await failed.waitFor()
  await device.context.close()
})

test('restores an address with its key after its subscription ended', async () => {
  const device = await stage.device()
  const { page } = device
  const { address } = await makeAddress(device, 'back.again')
  await withStore(stage.program, async (store) => {
    const now = Date.now()
    await store.keptAddresses.release(stage.subscription.id, now + 1, now + DAY, now)
  })
  await page.getByRole('button', { name: 'Restore address' }).waitFor()
  // The name is free only after its messages were deleted in the background.
  await expect
    .poll(async () => {
      await page
        .getByRole('button', { name: 'Restore address' })
        .click({ timeout: 1000 })
        .catch(() => {})
      return page.locator('[data-status=live]').count()
    })
    .toBe(1)
  await sendMail(stage.program.smtpPort, { to: address, subject: 'there again', text: 'hello' })
  await page.getByRole('link', { name: 'there again', exact: true }).waitFor()
  await device.context.close()
})
