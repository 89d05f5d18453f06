import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { outboxOf, parsed } from '#test/support/mail/outbox.ts'
import { type Relay, startRelay } from '#test/support/mail/relay.ts'
import { addressOn, closeContexts, newVisit } from '#test/support/program/browser.ts'
import { countLoads, openStage, type Stage, setHidden } from './stage.ts'
import { violations } from './violations.ts'

const LIMITS = { MAYFLY_FORWARD_ASK_BURST: '1000' }
let stage: Stage
let relay: Relay
let dns: DnsServer
beforeAll(async () => {
  relay = await startRelay()
  dns = await startDnsServer({ 'mail.example MX': ['10 mx.mail.example'] })
  stage = await openStage({ env: { MAYFLY_OUTBOUND_URL: relay.url, MAYFLY_DNS_SERVERS: dns.address, ...LIMITS } })
})
afterAll(async () => {
  await stage.close()
  await relay.close()
  dns.close()
})
afterEach(() => closeContexts(stage.browser))

/** The link in the `nth` email to a destination, counted from 1. */
async function linkTo(destination: string, nth = 1): Promise<string> {
  const raw = (await relay.mailsTo(destination, nth))[nth - 1]?.raw ?? Buffer.alloc(0)
  return (await parsed('', raw)).link.href
}

const visitTo = async (url: string, javaScriptEnabled = true) => {
  const visit = await newVisit(stage.browser, { javaScriptEnabled })
  await visit.page.goto(url)
  return visit
}

async function addDestination(page: Page, destination: string): Promise<void> {
  await page.getByLabel('Forward to').fill(destination)
  await page.getByRole('button', { name: 'Send link' }).click()
}

const stateOf = (page: Page, state: string) => page.getByRole('article').getByText(state, { exact: true }).waitFor()

test('goes through consent, forwarding, pause, stop by the destination and restart', async () => {
  const real = 'zoe@mail.example'
  const { page, address, pageErrors, send } = await stage.visit()
  const loads = countLoads(page)
  await page.getByRole('link', { name: 'Forward', exact: true }).click()
  await page.getByRole('heading', { name: 'Forwarding' }).waitFor()
  await page.getByText('Forwarding stops automatically after 7 days. One destination at a time.').waitFor()
  expect(await violations(page)).toEqual([])

  await addDestination(page, 'zoe@mayfly.test')
  await page.locator('[name=destination][aria-invalid=true]').waitFor()
  await page.getByText('We can’t forward to this address').waitFor()
  expect(await violations(page)).toEqual([])
  await addDestination(page, real)
  await stateOf(page, 'Pending')
  expect(await page.getByRole('heading', { name: real }).evaluate((each) => each === document.activeElement)).toBe(true)
  expect(await violations(page)).toEqual([])

  const link = await linkTo(real)
  // A mail scanner opens the link too, which must change nothing.
  await fetch(link)
  const { page: theirs, pageErrors: theirComplaints } = await visitTo(link)
  await theirs.getByRole('heading', { name: 'Allow forwarding to your address?' }).waitFor()
  await theirs.getByText(address).waitFor()
  expect(await violations(theirs)).toEqual([])
  await theirs.getByRole('button', { name: 'Allow forwarding' }).click()
  await theirs.getByRole('heading', { name: 'Forwarding is on' }).waitFor()
  expect(await violations(theirs)).toEqual([])
  await theirs.goto(link)
  await theirs.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  expect(await violations(theirs)).toEqual([])

  await stateOf(page, 'On')
  await send('Ferry tickets')
  const [, agreed, mail] = await relay.mailsTo(real, 3)
  expect(String(mail?.raw)).toMatch(/^Subject: Ferry tickets\r$/m)
  expect(mail?.from).toMatch(/^SRS0=.+@mayfly\.test$/i)
  const row = page.getByRole('listitem').filter({ hasText: 'Ferry tickets' })
  await row.getByText('Forwarded', { exact: true }).waitFor()
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await stateOf(page, 'Paused')
  expect(await violations(page)).toEqual([])
  await send('While paused')
  await page.getByRole('button', { name: 'Resume' }).click()
  await stateOf(page, 'On')
  await row.getByRole('link', { name: 'Ferry tickets' }).click()
  await page.getByRole('heading', { name: 'Ferry tickets' }).waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByRole('link', { name: 'Forwarding', exact: true }).click()
  await stateOf(page, 'On')

  await theirs.goto((await parsed('', agreed?.raw ?? Buffer.alloc(0))).link.href)
  await theirs.getByRole('heading', { name: 'Stop forwarding to you?' }).waitFor()
  expect(await violations(theirs)).toEqual([])
  await theirs.getByRole('button', { name: 'Stop forwarding' }).click()
  await theirs.getByRole('heading', { name: 'Forwarding has stopped' }).waitFor()
  expect(await violations(theirs)).toEqual([])
  await page.getByText('Declined by the recipient.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Start again' }).click()
  await stateOf(page, 'Pending')
  await linkTo(real, 4)
  const subjects = (await relay.mailsTo(real, 4)).map(({ raw }) => /^Subject: (.*)\r$/m.exec(String(raw))?.[1])
  expect(subjects).not.toContain('While paused')
  await page.getByRole('button', { name: 'Cancel request' }).click()
  await page.getByText('Stopped by you.').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => page.getByRole('heading', { name: 'Stopped' }).count()).toBe(0)
  expect(loads()).toBe(0)
  // The browser logs the refused request.
  expect([...pageErrors, ...theirComplaints]).toEqual([expect.stringContaining('status of 422')])
})

test('asks the owner before a running forwarding is ended', async () => {
  const real = 'yan@mail.example'
  const { page } = await stage.visit()
  await page.goto(`${stage.program.url}/en/forwarding`)
  await addDestination(page, real)
  const { page: theirs } = await visitTo(await linkTo(real))
  await theirs.getByRole('button', { name: 'Allow forwarding' }).click()
  await stateOf(page, 'On')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(real).waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await stateOf(page, 'On')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && calls.push(request.url()))
  // A second call would remove the ended forwarding.
  await dialog.getByRole('button', { name: 'Stop', exact: true }).dblclick()
  await page.getByText('Stopped by you.').waitFor()
  expect(calls).toHaveLength(1)
  await page.getByLabel('Forward to').waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Forwarding')
})

test('sends nothing to a destination that blocked requests, without revealing it', async () => {
  const real = 'never@mail.example'
  const { page } = await stage.visit()
  await page.goto(`${stage.program.url}/en/forwarding`)
  await addDestination(page, real)
  await stateOf(page, 'Pending')
  const first = await page.getByRole('article').innerText()
  const { page: theirs } = await visitTo(await linkTo(real))
  await theirs.getByRole('button', { name: 'Never ask me again' }).click()
  await theirs.getByRole('heading', { name: 'We won’t ask you again' }).waitFor()
  expect(await violations(theirs)).toEqual([])

  const { page: otherPage } = await stage.visit()
  await otherPage.goto(`${stage.program.url}/en/forwarding`)
  await addDestination(otherPage, real)
  await stateOf(otherPage, 'Pending')
  const withoutTime = (text: string): string => text.replace(/until .*\./, '')
  expect(withoutTime(await otherPage.getByRole('article').innerText())).toBe(withoutTime(first))
  // Emails are sent in order. A later one has arrived, so the blocked one was not sent.
  await otherPage.getByRole('button', { name: 'Cancel request' }).click()
  await addDestination(otherPage, 'after@mail.example')
  await linkTo('after@mail.example')
  expect(relay.asked.filter((to) => to === real)).toHaveLength(1)
})

test('shows changes of another tab when the tab becomes visible', async () => {
  const { page, address } = await stage.visit()
  await page.goto(`${stage.program.url}/en/forwarding`)
  const [first = ''] = address.split('@')
  await page.getByText(first).waitFor()
  const inAnotherTab = async (method: string, path: string, body?: object): Promise<void> => {
    await page.evaluate(
      async ([verb, to, json]) => {
        const headers = json === undefined ? {} : { 'content-type': 'application/json' }
        await fetch(`/api/v1${to}`, { method: verb, headers, ...(json === undefined ? {} : { body: json }) })
      },
      [method, path, body && JSON.stringify(body)] as const,
    )
    await setHidden(page, false)
  }
  await inAnotherTab('POST', '/addresses', { login: 'quite.another', domain: 'mayfly.test', replace: true })
  await page.getByText('quite.another').waitFor()
  expect(await page.getByText(first).count()).toBe(0)
  await inAnotherTab('DELETE', '/address')
  await page.getByRole('heading', { name: 'No address to forward from' }).waitFor()
})

test('links to the home page if there is no address', async () => {
  const { page } = await visitTo(`${stage.program.url}/en/forwarding`)
  await page.getByRole('heading', { name: 'No address to forward from' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Get an address' }).click()
  await addressOn(page)
})

test('works by forms without JavaScript', async () => {
  const real = 'plain@mail.example'
  const { page } = await visitTo(`${stage.program.url}/en/forwarding`, false)
  await page.getByRole('heading', { name: 'No address to forward from' }).waitFor()
  await page.getByRole('link', { name: 'Get an address' }).click()
  await page.getByRole('button', { name: 'Get an address' }).click()
  await addressOn(page)
  await page.getByRole('link', { name: 'Forward', exact: true }).click()
  await addDestination(page, 'plain@mayfly.test')
  await page.getByText('We can’t forward to this address').waitFor()
  expect(await page.getByLabel('Forward to').inputValue()).toBe('plain@mayfly.test')
  await addDestination(page, real)
  await stateOf(page, 'Pending')

  const { page: theirs } = await visitTo(await linkTo(real), false)
  await theirs.getByRole('button', { name: 'Allow forwarding' }).click()
  await theirs.getByRole('heading', { name: 'Forwarding is on' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await stateOf(page, 'Paused')
  await page.getByRole('button', { name: 'Resume' }).click()
  await stateOf(page, 'On')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('button', { name: 'Start again' }).click()
  await stateOf(page, 'Pending')

  const { page: lastVisit } = await visitTo(await linkTo(real, 3), false)
  await lastVisit.getByRole('button', { name: 'Decline', exact: true }).click()
  await lastVisit.getByRole('heading', { name: 'Forwarding declined' }).waitFor()
})

test.each(['', '/en', '/ar'])('fits a narrow screen in both directions of text (%s)', async (language) => {
  const { page, send } = await stage.visit({ viewport: { width: 390, height: 800 } })
  await page.goto(`${stage.program.url}${language}/forwarding`)
  await page.locator('[name=destination]').fill(`narrow${language.slice(1)}@mail.example`)
  await page.locator('[name=destination]').press('Enter')
  await page.locator('[data-state=waiting]').waitFor()
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(await overflow()).toBe(0)
  expect(await page.locator('html').getAttribute('dir')).toBe(language === '/ar' ? 'rtl' : 'ltr')
  await page.goto(await linkTo(`narrow${language.slice(1)}@mail.example`))
  await page.locator('button[value=confirm]').waitFor()
  expect(await overflow()).toBe(0)
  expect(await violations(page)).toEqual([])
  await page.locator('button[value=confirm]').click()
  await page.locator('[data-state=confirmed]').waitFor()
  await send('Long'.repeat(60), { from: `${'x'.repeat(60)}@harbour.example` })
  await page.goto(`${stage.program.url}${language}/forwarding`)
  await page.locator('[data-outcome] a').waitFor()
  expect(await overflow()).toBe(0)
})

test.each(['ta', 'de', 'ar'])('at 320 pixels, /%s/forwarding fits, with large targets', async (lang) => {
  // The policy of the pages forbids the style of the test: spacing that users may set (WCAG 1.4.12).
  const { page } = await stage.visit({ viewport: { width: 320, height: 800 }, bypassCSP: true })
  await page.goto(`${stage.program.url}/${lang}/forwarding`)
  await page.locator('[name=destination]').fill(`small.${lang}@mail.example`)
  await page.locator('[name=destination]').press('Enter')
  const button = page.locator('[data-state=waiting] button')
  await button.waitFor()
  await page.addStyleTag({ content: '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }' })
  const [card, inner] = [await page.locator('[data-state=waiting] article').boundingBox(), await button.boundingBox()]
  expect(inner!.x).toBeGreaterThanOrEqual(card!.x + 16)
  expect(inner!.x + inner!.width).toBeLessThanOrEqual(card!.x + card!.width - 16)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  const back = await page.locator(`main p > a[href="/${lang}"]`).last().boundingBox()
  expect(back!.height).toBeGreaterThanOrEqual(44)
})

test.each([
  ['outbox', 'Test mode: no email is sent.'],
  ['none', 'Forwarding isn’t available on this site.'],
] as const)('explains a missing relay (%s)', async (mode, words) => {
  const other = await (mode === 'none' ? openStage({ env: { MAYFLY_FORWARD_OUTBOX: 'off' } }) : openStage())
  try {
    const { page, pageErrors } = await other.visit()
    expect(await page.getByRole('link', { name: 'Forward', exact: true }).count()).toBe(mode === 'none' ? 0 : 1)
    await page.goto(`${other.program.url}/en/forwarding`)
    await page.getByText(words).waitFor()
    expect(await violations(page)).toEqual([])
    if (mode === 'none') expect(await page.getByLabel('Forward to').count()).toBe(0)
    else {
      await page.getByText('mayfly outbox').waitFor()
      // Another one each time: the outbox is shared.
      const destination = `without.relay.${randomUUID()}@mail.example`
      await addDestination(page, destination)
      await stateOf(page, 'Pending')
      const { link } = await outboxOf(other.program).next(destination, 'forwarding-confirm')
      await page.goto(link.href)
      await page.getByRole('button', { name: 'Allow forwarding' }).click()
      await page.getByRole('heading', { name: 'Forwarding is on' }).waitFor()
    }
    expect(pageErrors).toEqual([])
  } finally {
    await other.close()
  }
})
