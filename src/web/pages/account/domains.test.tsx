import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import type { AccountJson } from '#contract/account.ts'
import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import type { OwnDomainJson } from '#contract/own-domains.ts'
import type { AccountData } from '#contract/pages.ts'
import { languages } from '#locales/languages.ts'
import { renderOnPage } from '#test/support/fixtures/page.tsx'
import { DomainProblem } from './domain-problem.tsx'
import { DomainRow } from './domain-row.tsx'
import { Domains } from './domains.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Tabs } from './tabs.tsx'

const rendered = (element: ReactNode): string =>
  renderOnPage(element, { page: 'account', lang: 'en', path: '/account', query: {} }).replaceAll('<!-- -->', '')
const words = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

const addresses = ['one@mayfly.test', 'two@post.example', 'gone@mayfly.test'].map((address) => ({
  id: address,
  address,
  alive: !address.startsWith('gone'),
})) as KeptAddressJson[]

function row(fields: Partial<OwnDomainJson>, active = true): string {
  const domain: OwnDomainJson = {
    name: 'post.example',
    state: 'pending',
    checkedAt: null,
    records: [
      { type: 'TXT', name: '_mayfly.post.example', value: 'mayfly-verification=x', priority: null, found: true },
      { type: 'MX', name: 'post.example', value: 'mx.mayfly.test', priority: 10, found: false },
    ],
    catchAll: null,
    ...fields,
  }
  const given = { domain, addresses, active, onChange() {}, onRemove: async () => {} }
  return rendered(<DomainRow {...given} />)
}

test('shows the records of an unverified domain and which of them were found, without a catch-all', () => {
  const html = row({})
  expect(words(html)).toContain('post.example Not verified yet Add these two records')
  expect(words(html)).toContain('TXT Found Name _mayfly.post.example Copy Value mayfly-verification=x Copy')
  expect(words(html)).toContain('MX Not found Name post.example Copy Value mx.mayfly.test Copy Priority 10')
  expect(html).toContain('aria-label="Copy mayfly-verification=x"')
  expect(html).not.toMatch(/<details|<select|Last checked/)
})

test('collapses the records of a verified domain and offers its live addresses as catch-all', () => {
  const checkedAt = '2026-03-01T12:00:00Z'
  const html = row({ state: 'verified', catchAll: 'two@post.example', checkedAt })
  expect(html).toMatch(/<details.*_mayfly\.post\.example.*<\/details>/s)
  expect(html).toMatch(/<option[^>]*value="two@post.example"[^>]*selected/)
  expect(words(html)).toContain('Catch-all address None (reject) one@mayfly.test two@post.example Check now')
  // The date is in the visitor's time zone.
  const day = new Date(checkedAt).toLocaleDateString('en-US', { dateStyle: 'long' })
  expect(words(html)).toContain(`Last checked ${day}`)
  expect(html).not.toContain('gone@')
})

test('shows that a domain is failing, with its catch-all', () => {
  expect(words(row({ state: 'failing' }))).toMatch(
    /Records missing We can’t find these records anymore.*Catch-all address/,
  )
})

test('shows that a domain receives nothing since Premium ended, without a catch-all', () => {
  const html = row({ state: 'stopped' }, false)
  expect(words(html)).toContain('post.example Email is refused because Premium has ended DNS records')
  expect(html).not.toContain('<select')
})

test('sets names and values from left to right', () => {
  for (const value of ['post.example', '_mayfly.post.example', 'mayfly-verification=x', 'mx.mayfly.test', '10']) {
    expect(row({})).toMatch(new RegExp(`dir="ltr"[^>]*>${value}<`))
  }
})

test.each(languages.map(({ code }) => code))(
  'in %s, the name of a copy button contains its words (WCAG 2.5.3)',
  async (code) => {
    const path = join(import.meta.dirname, '../../../../locales', `${code}.json`)
    const texts = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>
    expect(texts['account.domains.copy']?.toLowerCase()).toContain(texts['address.copy']?.toLowerCase())
  },
)

test('offers removal but no check without Premium', () => {
  expect(words(row({}))).toContain('Check now')
  expect(words(row({}, false))).not.toContain('Check now')
  expect(words(row({}, false))).toContain('Remove')
})

test.each([
  ['domain_invalid', 'can’t be added'],
  ['domain_of_account', 'You can add a subdomain'],
  ['domains_full', 'domain limit'],
  ['domain_owned', 'Another subscriber'],
  ['dns_unavailable', 'name servers'],
  ['premium_required', 'Premium has ended'],
  ['offline', 'No connection'],
] as const)('%s in words', (code, text) => {
  expect(rendered(<DomainProblem problem={{ code }} />)).toContain(text)
})

test.each([0, 3])('promises own domains only where there are some: at most %i', (max) => {
  const promised = max > 0
  const steps = rendered(<FirstSteps premiumDomain={null} ownDomains={promised} />)
  expect([steps.includes('/account/domains'), words(steps).includes('own domain')]).toEqual([promised, promised])
  const tab = (active: boolean): string =>
    words(rendered(<Domains domains={[]} addresses={[]} max={max} active={active} />))
  expect(tab(true).includes('own domain')).toBe(promised)
  expect(tab(false).includes('With Premium')).toBe(promised)
})

test.each([
  [true, true],
  [true, false],
  [false, true],
  [false, false],
])('has tabs for domains (%s) and developers (%s) if there can be any', (ownDomains, keysOrWebhooks) => {
  const account = { state: 'lapsed', confirmed: true, limits: { addresses: 1, domains: 0 } } as AccountJson
  const data = {
    tab: 'domains',
    account,
    addresses: [],
    asked: null,
    domains: null,
    developer: null,
    premiumDomain: null,
    ownDomains,
    keysOrWebhooks,
    link: null,
    sent: false,
  } as const
  const html = rendered(<Tabs account={account} data={{ ...data, addresses: [] }} onErased={() => {}} />)
  expect(html.includes('/account/domains')).toBe(ownDomains)
  expect(html.includes('/account/developer')).toBe(keysOrWebhooks)
})

test.each([
  [0, 0],
  [0, 5],
  [5, 0],
  [5, 5],
])('shows API keys and webhooks only if there can be any: at most %i and %i', (keys, webhooks) => {
  const account = { state: 'active', confirmed: true, limits: { addresses: 1, domains: 0 } } as AccountJson
  const developer = {
    keys: { keys: [], limits: { keys, requestsPerSecond: 1, addresses: 1, revocationSeconds: 1 } },
    webhooks: { webhooks: [], limits: { webhooks, offDays: 1 } },
  }
  const data = { tab: 'developer', account, addresses: [], domains: null, developer, ownDomains: false }
  const html = words(rendered(<Tabs account={account} data={data as unknown as AccountData} onErased={() => {}} />))
  expect([html.includes('API keys'), html.includes('Webhooks')]).toEqual([keys > 0, webhooks > 0])
  expect(html).not.toContain('maximum number')
})
