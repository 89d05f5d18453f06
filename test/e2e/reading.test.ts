import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStage, type Stage } from './stage.ts'
import { violations } from './violations.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const PHONE = { width: 390, height: 664 }
const NEWSLETTER = `<table width="600" bgcolor="#eeeeee"><tr>${'<td width="300">Wireless headphones</td>'.repeat(2)}</tr>
  <tr><td height="1200" colspan="2"><a href="https://evil.example/x">https://bank.example.com/login</a></td></tr></table>
  <img src="https://open.sendgrid.net/o?u=1" width="1" height="1">`

const open = async (page: Page, subject: string): Promise<void> => {
  await page.getByRole('link', { name: subject, exact: true }).first().click()
  await page.getByRole('heading', { name: subject }).waitFor()
}
const frameOf = (page: Page) => page.locator('#message-body iframe:not([aria-hidden])')
const boxOf = async (page: Page) => (await frameOf(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

describe('on a phone', () => {
  test('a message begins within 300 pixels, and its frame is as tall as it is', async () => {
    const { page, send, pageErrors } = await stage.visit({ viewport: PHONE })
    await send('Short', { text: 'One line.' })
    await open(page, 'Short')
    await expect.poll(async () => (await boxOf(page)).height).toBeLessThan(80)
    const { y, width } = await boxOf(page)
    expect(y).toBeLessThan(300)
    expect(width).toBe(PHONE.width)
    expect(pageErrors).toEqual([])
  })

  test('a newsletter is scaled to the screen, and can be shown in its actual size', async () => {
    const { page, send, pageErrors } = await stage.visit({ viewport: PHONE })
    await send('Newsletter', { text: undefined, html: NEWSLETTER })
    await open(page, 'Newsletter')
    await page.getByRole('button', { name: 'Show actual size' }).waitFor()
    const scaled = await boxOf(page)
    expect(Math.round(scaled.width)).toBe(PHONE.width)
    expect(scaled.y).toBeLessThan(300)
    // Nothing is cut: the frame has the height of 1,200 pixels, scaled.
    expect(scaled.height).toBeGreaterThan((1200 * PHONE.width) / 640)
    const word = page.frameLocator('#message-body iframe:not([aria-hidden])').getByText('Wireless headphones').first()
    expect((await word.boundingBox())?.height).toBeLessThan(40)
    // The result must be stable.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await boxOf(page)).toEqual(scaled)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Show actual size' }).click()
    await expect.poll(async () => (await boxOf(page)).width).toBeGreaterThan(600)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
    expect(await violations(page)).toEqual([])
    expect(pageErrors).toEqual([])
  })

  test.each([
    ['/ar', 'A subject that somebody wrote in one go without thinking of small screens, and that goes on'],
    ['/en', 'رمز التحقق الخاص بك من متجر الميناء وهو عنوان طويل جدا لا يتسع له سطر واحد على شاشة صغيرة أبدا'],
  ])(
    'in %s, a long subject of the other direction is cut with an ellipsis inside of its block',
    async (path, subject) => {
      const { page, send } = await stage.visit({ path, viewport: PHONE })
      await send(subject)
      await open(page, subject)
      const { cut, inside } = await page.locator('h1').evaluate((title) => ({
        cut: title.scrollHeight > title.clientHeight,
        inside: title.scrollWidth <= title.clientWidth,
      }))
      expect({ cut, inside }).toEqual({ cut: true, inside: true })
    },
  )
})

test('tells which images and links report, and where a link really leads', async () => {
  const { page, send } = await stage.visit()
  await send('Newsletter', { text: undefined, html: NEWSLETTER })
  await open(page, 'Newsletter')
  await page.getByText('Remote images blocked: 1', { exact: true }).waitFor()
  await page
    .frameLocator('#message-body iframe:not([aria-hidden])')
    .locator('bdi', { hasText: 'evil.example' })
    .waitFor()
  await page.getByText('Details', { exact: true }).click()
  await page.getByText('The text says bank.example.com, but the link goes to evil.example.').waitFor()
  await page.getByText('open.sendgrid.net').waitFor()
})

test('warns if a look-alike domain and a deceptive link come together', async () => {
  const { page, send } = await stage.visit()
  await send('Limited', { from: 'PayPal <a@paypa1.com>', text: undefined, html: NEWSLETTER })
  await open(page, 'Limited')
  await page.getByText('Possibly forged').waitFor()
  await page.getByText('The sender’s domain resembles paypal.com.').waitFor()
})

test('leads to the newer and the older message, and lists them beside it on a wide screen', async () => {
  const { page, send } = await stage.visit({ viewport: { width: 1280, height: 800 } })
  for (const subject of ['One', 'Two']) {
    await send(subject)
    await page.getByRole('link', { name: subject, exact: true }).waitFor()
  }
  await open(page, 'Two')
  expect(await page.getByRole('link', { name: 'Newer email' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Older email' }).click()
  await page.getByRole('heading', { name: 'One' }).waitFor()
  const list = page.getByRole('navigation', { name: 'Inbox' })
  expect(await list.getByRole('link').count()).toBe(2)
  expect(await list.locator('[aria-current=page]').textContent()).toContain('One')
  await list.getByRole('link', { name: 'Two' }).click()
  await page.getByRole('heading', { name: 'Two' }).waitFor()
})

test('prints the message alone, whole, with its subject above it', async () => {
  const { page, send } = await stage.visit()
  await send('On paper', { text: undefined, html: NEWSLETTER })
  await open(page, 'On paper')
  const inner = () => page.frames().find((frame) => frame.url().includes('/frame/measure'))
  await expect.poll(() => inner()?.locator('table').count()).toBe(1)
  await expect.poll(async () => (await boxOf(page)).height).toBeGreaterThan(1200)
  await inner()?.evaluate(() => {
    // The lines above the message are in a closed shadow tree.
    const attach = Element.prototype.attachShadow
    Element.prototype.attachShadow = function (options) {
      return attach.call(this, { ...options, mode: 'open' })
    }
    window.print = () => {
      const { body } = document
      const lines = [...(body.previousElementSibling?.shadowRoot?.children ?? [])].map(({ textContent }) => textContent)
      body.setAttribute('data-printed', [...lines, body.innerText].join('\n'))
    }
  })
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  await expect.poll(() => inner()?.locator('body').getAttribute('data-printed')).toMatch(/^On paper\nFrom: .*Wireless/s)
})

test('the print command of the browser leaves out what only a screen needs', async () => {
  const { page, send } = await stage.visit()
  await send('On paper')
  await page.getByRole('link', { name: 'On paper', exact: true }).waitFor()
  await send('Your code', { text: 'Your verification code is 482913' })
  await open(page, 'On paper')
  const bar = page.locator('[data-bar]').getByText('482913')
  const rest = ['header nav', 'footer', '[data-bar]'].map((each) => page.locator(each).first())
  await bar.waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await Promise.all(rest.map((each) => each.isVisible()))).toEqual([false, false, false])
  expect(await page.getByRole('heading', { name: 'On paper' }).isVisible()).toBe(true)
  await page.goto(`${stage.program.url}/en`)
  await page.locator('tbody').getByText('482913', { exact: true }).waitFor()
  expect(await page.locator('output').isVisible()).toBe(true)
  expect(await page.locator('main :is(button, select, form):visible').allInnerTexts()).toEqual([])
})

test('a message of an older batch of the list has its neighbors, and the list shows where it is', async () => {
  const { page, send, pageErrors } = await stage.visit({ viewport: { width: 1280, height: 800 } })
  await send('Oldest')
  await send('Second')
  await Promise.all(Array.from({ length: 50 }, (_, i) => send(`Filler ${i}`)))
  await expect.poll(() => page.locator('tbody tr').count()).toBe(52)
  await open(page, 'Oldest')
  const current = page.locator('nav [aria-current]').filter({ hasText: 'Oldest' })
  // Not hidden in the part of the list that is scrolled away.
  const inView = () =>
    current.evaluate((link) => {
      const [box, list] = [link.getBoundingClientRect(), link.closest('nav')!.getBoundingClientRect()]
      return box.top >= list.top && box.bottom <= list.bottom + 1 && list.bottom <= innerHeight
    })
  await expect.poll(inView).toBe(true)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  // The neighbors of this message are known only when its batch has been read.
  await page.getByRole('link', { name: 'Newer email' }).waitFor()
  await page.keyboard.press('k')
  await page.getByRole('heading', { name: 'Second' }).waitFor()
  await page.getByRole('link', { name: 'Older email' }).click()
  await page.getByRole('heading', { name: 'Oldest' }).waitFor()
  expect(pageErrors).toEqual([])
})

describe('attachments', () => {
  test('are shown and downloaded together', async () => {
    const { page, send } = await stage.visit()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
      'base64',
    )
    const attachments = [
      { filename: 'a.png', content: png },
      { filename: 'b.txt', content: 'b' },
    ]
    await send('Files', { attachments })
    await open(page, 'Files')
    await page.getByRole('button', { name: 'Show a.png' }).click()
    await page.frameLocator('iframe[title="a.png"]').locator('img').waitFor()
    // As tall as the image, which has one pixel, and at least 48 pixels.
    await expect.poll(async () => (await page.locator('iframe[title="a.png"]').boundingBox())?.height).toBe(48)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.zip$/)
  })

  test('with an invitation are shown as a card in the time zone of the reader', async () => {
    const { page, send, pageErrors } = await stage.visit({ timezoneId: 'Asia/Tokyo' })
    const content = [
      'BEGIN:VCALENDAR',
      'METHOD:REQUEST',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTART:20261203T090000Z',
      'DTEND:20261203T100000Z',
      'SUMMARY:Planning',
      'LOCATION:Room 4',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n')
    await send('Meeting', { icalEvent: { method: 'REQUEST', content } })
    await open(page, 'Meeting')
    const card = page.getByRole('region', { name: 'Planning' })
    await card.getByText('December 3, 2026').waitFor()
    expect((await card.textContent())?.replaceAll(/\s/g, ' ')).toMatch(/6:00 – 7:00 PM Asia\/Tokyo.*Room 4/)
    await page.reload()
    await card.getByText('Asia/Tokyo').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      card.getByRole('link', { name: 'Download for your calendar' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.ics$/)
    expect(pageErrors).toEqual([])
  })
})

test('a very long source and many headers are shown in part, with what tells it', async () => {
  const { page, address, send, pageErrors } = await stage.visit()
  const raw = Buffer.from(
    `From: a@sender.example\r\nTo: ${address}\r\nSubject: Long\r\n${'X-Trace: y\r\n'.repeat(600)}\r\nM\xe4rze\r\n${'A line of text\r\n'.repeat(80_000)}`,
    'latin1',
  )
  await send('Long', { envelope: { from: 'a@sender.example', to: address }, raw })
  await open(page, 'Long')
  await page.getByText('Details', { exact: true }).click()
  const strip = page.getByText('so you only see the beginning')
  await page.getByRole('tab', { name: 'Source' }).click()
  await page.getByText('Märze').waitFor()
  await strip.waitFor()
  expect((await page.locator('#message-body pre').textContent())?.length).toBe(1024 * 1024)
  await page.getByRole('tab', { name: 'Headers' }).click()
  await strip.waitFor()
  expect(await page.locator('#message-body dt').count()).toBe(500)
  expect(await violations(page)).toEqual([])
  expect(pageErrors).toEqual([])
})

test.each([
  ['plain text', { text: 'plain' }, 'rgb(19, 37, 48)'],
  ['HTML without colors', { text: undefined, html: '<p>plain</p>' }, 'rgb(19, 37, 48)'],
  ['HTML with colors', { text: undefined, html: '<p style="color:#000">black</p>' }, 'rgb(255, 255, 255)'],
])('in dark mode, %s has the background %s', async (_name, mail, background) => {
  const { page, send } = await stage.visit({ colorScheme: 'dark' })
  await send('Night', mail)
  await open(page, 'Night')
  const html = page.frameLocator('#message-body iframe:not([aria-hidden])').locator('html')
  expect(await html.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(background)
})
