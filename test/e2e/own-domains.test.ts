import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { signedIn, type SiteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'
import { violations } from './violations.ts'

const DOMAIN = 'post.example'

let dns: DnsServer
let stage: Stage
let client: SiteClient
beforeAll(async () => {
  dns = await startDnsServer()
  stage = await openStage({
    env: {
      MAYFLY_DNS_SERVERS: dns.address,
      MAYFLY_SMTP_HOSTNAME: 'mx.mayfly.test',
      MAYFLY_DOMAIN_CHECK_BURST: '100',
    },
  })
  await subscribeIn(stage.program, 'ada@real.example')
  client = await signedIn(stage.program, 'ada@real.example')
})
afterAll(async () => {
  await stage.close()
  dns.close()
})

/** The subscriber's account page in a new browser context with the given options. */
async function account(path: string, options = {}): Promise<{ page: Page; pageErrors: string[] }> {
  const visit = await newVisit(stage.browser, { permissions: ['clipboard-read', 'clipboard-write'], ...options })
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: stage.program.url }))
  await visit.page.context().addCookies(cookies)
  await visit.page.goto(stage.program.url + path)
  await untilHydrated(visit.page)
  return visit
}

/** The text that the Copy button beside a label writes to the clipboard. */
async function copied(page: Page, label: string | RegExp): Promise<string> {
  await page.getByRole('button', { name: label }).click()
  return page.evaluate(() => navigator.clipboard.readText())
}

test('adds a domain, copies its records, verifies it, chooses a catch-all and removes it', async () => {
  const { page, pageErrors } = await account('/en/account/domains')
  await page.getByLabel('Add a domain').fill(' Post.Example ')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const row = page.getByRole('listitem', { name: DOMAIN })
  await row.getByText('Not verified yet').waitFor()
  await row.getByRole('button', { name: 'Check now' }).press('Enter')
  await row.getByText('Last checked').waitFor()
  await row.locator('button:focus', { hasText: 'Check now' }).waitFor()
  expect(await row.getByText('Not found', { exact: true }).count()).toBe(2)

  const name = await copied(page, `Copy _mayfly.${DOMAIN}`)
  dns.zone[`${name} TXT`] = [await copied(page, /Copy mayfly-verification=/)]
  await row.getByRole('button', { name: 'Check now' }).click()
  await row.getByText('Found', { exact: true }).waitFor()
  expect(await row.getByText('Not verified yet').count()).toBe(1)
  dns.zone[`${DOMAIN} MX`] = [`10 ${await copied(page, 'Copy mx.mayfly.test')}`]
  await row.getByRole('button', { name: 'Check now' }).click()
  await row.getByText('Verified', { exact: true }).waitFor()

  await client.send('POST', '/api/v1/account/addresses', { login: 'rest', domain: DOMAIN })
  await page.reload()
  await row.getByLabel('Catch-all address').selectOption(`rest@${DOMAIN}`)
  await expect.poll(() => row.getByLabel('Catch-all address').isEnabled()).toBe(true)
  await sendMail(stage.program.smtpPort, { to: `anybody@${DOMAIN}`, subject: 'To anybody', text: 'x' })
  await page.getByRole('link', { name: 'Addresses' }).click()
  await page.getByText('1 unread').waitFor()
  await page.getByRole('link', { name: 'Domains' }).click()

  await row.getByRole('button', { name: 'Remove' }).click()
  expect(await page.getByRole('dialog').getByRole('heading').textContent()).toBe(`Remove \u2066${DOMAIN}\u2069?`)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Addresses' }).click()
  await page.getByRole('heading', { name: 'Addresses' }).waitFor()
  expect(await page.getByText(`rest@${DOMAIN}`).count()).toBe(0)
  expect(await client.json('/api/v1/account/domains')).toEqual({ domains: [] })
  expect(pageErrors).toEqual([])
})

test('shows problems at their place', async () => {
  const { page } = await account('/en/account/domains')
  await page.getByLabel('Add a domain').fill('not a domain')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('alert').getByText('can’t be added').waitFor()
  await page.getByLabel('Add a domain').fill('down.example')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  dns.zone['down.example MX'] = 'servfail'
  await page.getByRole('listitem', { name: 'down.example' }).getByRole('button', { name: 'Check now' }).click()
  await page.getByRole('alert').getByText('name servers aren’t responding').waitFor()
})

test('says that there is no room for another domain', async () => {
  await subscribeIn(stage.program, 'full@real.example')
  const full = await signedIn(stage.program, 'full@real.example')
  const { page } = await newVisit(stage.browser)
  const cookies = [...full.cookies].map(([name, value]) => ({ name, value, url: stage.program.url }))
  await page.context().addCookies(cookies)
  for (const name of ['one.example', 'two.example'])
    expect((await full.send('POST', '/api/v1/account/domains', { name })).status).toBe(201)
  await page.goto(`${stage.program.url}/en/account/domains`)
  await untilHydrated(page)
  await page.getByLabel('Add a domain').fill('three.example')
  expect(await page.getByText('Remove one to make room').count()).toBe(0)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('You’ve reached Premium’s domain limit. Remove one to make room.').waitFor()
  expect(await page.getByLabel('Add a domain').count()).toBe(0)
})

interface OwnDomainList {
  domains: { name: string; records: { value: string }[] }[]
}

test.each([
  ['/en/account/domains', 'light'],
  ['/ar/account/domains', 'dark'],
] as const)('%s on a phone, %s: nothing sticks out, and it is accessible', async (path, colorScheme) => {
  const long = `${'a-long-label.'.repeat(5)}example`
  await client.send('POST', '/api/v1/account/domains', { name: long })
  // A catch-all address can be chosen for a verified domain. The longest one decides how wide the list wants to be.
  const verified = 'verified.example'
  await client.send('POST', '/api/v1/account/domains', { name: verified })
  const { domains } = await client.json<OwnDomainList>('/api/v1/account/domains')
  const [txt] = domains.find(({ name }) => name === verified)!.records
  dns.zone[`_mayfly.${verified} TXT`] = [txt!.value]
  dns.zone[`${verified} MX`] = ['10 mx.mayfly.test']
  await client.send('POST', `/api/v1/account/domains/${verified}/check`)
  await client.send('POST', '/api/v1/account/addresses', { login: 'a-long-login.'.repeat(4) + colorScheme })
  const { page } = await account(path, { viewport: { width: 320, height: 844 }, colorScheme })
  await page.getByText(`_mayfly.${long}`).waitFor()
  await page.locator('select').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  expect(await page.getByText(`_mayfly.${long}`).evaluate((each) => getComputedStyle(each).direction)).toBe('ltr')
  expect(await violations(page)).toEqual([])
})
