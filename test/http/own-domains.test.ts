import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnDomainJson } from '#contract/own-domains.ts'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { signedIn, siteClient, type SiteClient, subscribeIn, withStore } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const HOST = 'mx.mayfly.test'
const BURST = 20
const DOMAINS = '/api/v1/account/domains'

let dns: DnsServer
let dataDir: string
let program: Program
/** Starts the program, with its data if it ran before. */
async function start(env: Record<string, string> = {}): Promise<void> {
  await program?.stop()
  program = await startProgram({
    dataDir,
    env: {
      ...WITHOUT_LIMITS,
      MAYFLY_DNS_SERVERS: dns.address,
      MAYFLY_SMTP_HOSTNAME: HOST,
      MAYFLY_DOMAIN_CHECK_BURST: String(BURST),
      MAYFLY_DOMAIN_CHECK_SECONDS: '1000',
      ...env,
    },
  })
}
beforeAll(async () => {
  dns = await startDnsServer()
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-domains-'))
  await start()
})
afterAll(async () => {
  await program.stop()
  dns.close()
  await rm(dataDir, { recursive: true })
})

async function subscriber(email: string): Promise<SiteClient> {
  await subscribeIn(program, email)
  return signedIn(program, email)
}
/** The same browser, after the program restarted at another port. */
function again({ cookies }: SiteClient): SiteClient {
  const client = siteClient(program)
  for (const [name, value] of cookies) client.cookies.set(name, value)
  return client
}
async function ask(client: SiteClient, method: string, path: string, body?: object): Promise<[number, any]> {
  const response = await client.send(method, path, body)
  return [response.status, await response.json().catch(() => null)]
}
const problem = async (client: SiteClient, method: string, path: string, body?: object) => {
  const [status, { code }] = await ask(client, method, path, body)
  return [status, code]
}
async function add(client: SiteClient, name: string): Promise<OwnDomainJson> {
  const [status, domain] = await ask(client, 'POST', DOMAINS, { name })
  expect(status).toBe(201)
  return domain
}
async function check(client: SiteClient, name: string): Promise<OwnDomainJson> {
  const [status, domain] = await ask(client, 'POST', `${DOMAINS}/${name}/check`)
  expect(status).toBe(200)
  return domain
}
/** Sets the DNS records of a name to those that these subscribers' claims need, and no others. */
function set(name: string, ...domains: OwnDomainJson[]): void {
  const values = (type: string) => domains.flatMap(({ records }) => records.filter((each) => each.type === type))
  dns.zone[`_mayfly.${name} TXT`] = values('TXT').map(({ value }) => value)
  dns.zone[`${name} MX`] = values('MX').map(({ priority, value }) => `${priority} ${value}`)
}
/** The SMTP reply to a message; undefined if it was accepted. */
const replyTo = (to: string, subject = 'hello'): Promise<string | undefined> =>
  sendMail(program.smtpPort, { to, subject, text: subject }).then(
    () => undefined,
    ({ response }: { response: string }) => response,
  )
async function keep(client: SiteClient, login: string, domain: string): Promise<{ id: string; address: string }> {
  const [status, kept] = await ask(client, 'POST', '/api/v1/account/addresses', { login, domain })
  expect(status).toBe(201)
  return kept
}
/** Subjects in the inbox of a kept address, newest first. */
async function inbox(client: SiteClient, id: string): Promise<string[]> {
  expect((await client.send('POST', `/api/v1/account/addresses/${id}/open`)).status).toBe(200)
  const { messages } = await client.json('/api/v1/messages')
  return messages.map(({ subject }: { subject: string }) => subject)
}

test('a domain from its first check to the next owner', async () => {
  const name = 'post.example'
  let ada = await subscriber('ada@real.example')
  const added = await add(ada, 'Post.Example')
  expect(added).toMatchObject({ name, state: 'pending', checkedAt: null, catchAll: null })
  expect(added.records).toMatchObject([
    { type: 'TXT', name: `_mayfly.${name}`, found: false },
    { type: 'MX', name, value: HOST, priority: 10, found: false },
  ])
  expect(await check(ada, name)).toMatchObject({ state: 'pending', checkedAt: expect.stringMatching(/Z$/) })
  expect(await replyTo(`me@${name}`)).toMatch(/^550 5\.7\.1 /)

  set(name, added)
  const verified = await check(ada, name)
  expect(verified).toMatchObject({ state: 'verified', records: [{ found: true }, { found: true }] })
  expect(await ada.json(DOMAINS)).toEqual({ domains: [verified] })

  const me = await keep(ada, 'me', name)
  expect(me.address).toBe(`me@${name}`)
  expect(await replyTo(`Me+shop@${name.toUpperCase()}`, 'to me')).toBeUndefined()
  expect(await inbox(ada, me.id)).toEqual(['to me'])
  expect(await replyTo(`you@${name}`)).toMatch(/^550 5\.1\.1 /)
  const rest = await keep(ada, 'the.rest', 'mayfly.test')
  expect(await ask(ada, 'PATCH', `${DOMAINS}/${name}`, { catchAll: rest.id })).toMatchObject([
    200,
    { catchAll: rest.id },
  ])
  expect(await replyTo(`you@${name}`, 'to anybody')).toBeUndefined()
  expect(await inbox(ada, rest.id)).toEqual(['to anybody'])
  expect(await inbox(ada, me.id)).toEqual(['to me'])

  // A day later the check of all domains finds no records.
  set(name)
  const makeDue = () =>
    withStore(program, async ({ ownDomains }) => {
      const domain = await ownDomains.owner(name)
      if (!domain) throw new Error('There is no owner')
      await ownDomains.recordCheck(domain.subscriptionId, name, { ...domain, checkedAt: 0 })
    })
  await makeDue()
  await start()
  ada = again(ada)
  const { domains } = await ada.json(DOMAINS)
  expect(domains).toMatchObject([{ name, state: 'verified' }])
  await expect
    .poll(() => ada.json(DOMAINS), { interval: 100 })
    .toMatchObject({ domains: [{ state: 'failing', records: [{ found: false }, { found: false }] }] })
  expect(await replyTo(`me@${name}`, 'still to me')).toBeUndefined()

  // After a look-up that finds it failing for too long, it has no owner.
  await makeDue()
  await start({ MAYFLY_DOMAIN_FAILING_DAYS: '0' })
  ada = again(ada)
  await expect.poll(() => ada.json(DOMAINS), { interval: 100 }).toMatchObject({ domains: [{ state: 'pending' }] })
  expect(await replyTo(`me@${name}`)).toMatch(/^550 5\.7\.1 /)

  const ben = await subscriber('ben@real.example')
  const claim = await add(ben, name)
  set(name, claim)
  expect(await check(ben, name)).toMatchObject({ state: 'verified' })
  expect(await replyTo(`me@${name}`)).toMatch(/^550 5\.1\.1 /)
  const mine = await keep(ben, 'me', name)
  expect(mine.address).toBe(me.address)
  expect(await replyTo(`me@${name}`, 'to the new one')).toBeUndefined()
  expect(await inbox(ben, mine.id)).toEqual(['to the new one'])
  expect(await inbox(ada, me.id)).toEqual(['still to me', 'to me'])
  expect(await inbox(ada, rest.id)).toEqual(['to anybody'])
  expect((await check(ada, name)).state).toBe('pending')
  set(name, claim, added)
  expect(await problem(ada, 'POST', `${DOMAINS}/${name}/check`)).toEqual([409, 'domain_owned'])

  expect((await ben.send('DELETE', `${DOMAINS}/${name}`)).status).toBe(204)
  expect(await ben.json(DOMAINS)).toEqual({ domains: [] })
  expect(await replyTo(`me@${name}`)).toMatch(/^550 5\.7\.1 /)
  expect(await ben.json('/api/v1/account/addresses')).toMatchObject({ addresses: [] })
})

describe('API calls', () => {
  let client: SiteClient
  beforeAll(async () => {
    client = await subscriber('calls@real.example')
  })

  test('need a signed-in subscriber, and change nothing for other sites', async () => {
    await add(client, 'safe.example')
    const calls = [
      ['GET', DOMAINS],
      ['POST', DOMAINS, { name: 'other.example' }],
      ['POST', `${DOMAINS}/safe.example/check`],
      ['PATCH', `${DOMAINS}/safe.example`, { catchAll: null }],
      ['DELETE', `${DOMAINS}/safe.example`],
    ] as const
    for (const [method, path, body] of calls) {
      expect(await problem(siteClient(program), method, path, body)).toEqual([401, 'not_signed_in'])
      if (method === 'GET') continue
      const foreign = await client.send(method, path, body, { origin: 'https://elsewhere.example' })
      expect(foreign.status).toBe(403)
    }
    expect(await client.json(DOMAINS)).toMatchObject({ domains: [{ name: 'safe.example', state: 'pending' }] })
    const stranger = await subscriber('stranger@real.example')
    for (const [method, path, body] of calls.slice(2)) {
      expect(await problem(stranger, method, path, body)).toEqual([404, 'domain_not_found'])
    }
  })

  test.each([
    [{ name: 'mayfly.test' }, 422, 'domain_invalid'],
    [{ name: 'com' }, 422, 'domain_invalid'],
    [{ name: '' }, 422, 'domain_invalid'],
    [{ name: 1 }, 400, 'invalid_request'],
    [{}, 400, 'invalid_request'],
    [{ name: 'a.example', state: 'verified' }, 400, 'invalid_request'],
  ])('adding %o returns %i %s', async (body, ...answer) => {
    expect(await problem(client, 'POST', DOMAINS, body)).toEqual(answer)
  })

  test.each([
    [{}, 400, 'invalid_request'],
    [{ catchAll: 5 }, 400, 'invalid_request'],
    [{ catchAll: 'nobody' }, 422, 'address_invalid'],
  ])('a change %o returns %i %s', async (body, ...answer) => {
    await add(client, 'changed.example')
    expect(await problem(client, 'PATCH', `${DOMAINS}/changed.example`, body)).toEqual(answer)
  })

  test('a path may contain any name', async () => {
    for (const name of ['a%2fb', 'x'.repeat(2000), '%00', 'b%C3%BCcher.example']) {
      expect(await problem(client, 'DELETE', `${DOMAINS}/${name}`)).toEqual([404, 'domain_not_found'])
    }
    await add(client, 'bücher.example')
    expect((await client.send('DELETE', `${DOMAINS}/b%C3%BCcher.example`)).status).toBe(204)
  })

  test('a DNS failure is reported', async () => {
    await add(client, 'safe.example')
    dns.zone['safe.example MX'] = 'servfail'
    expect(await problem(client, 'POST', `${DOMAINS}/safe.example/check`)).toEqual([503, 'dns_unavailable'])
  })

  test('without Premium nothing can be added', async () => {
    await subscribeIn(program, 'ended@real.example', { paidUntil: Date.now() - 1 })
    const ended = await signedIn(program, 'ended@real.example')
    expect(await problem(ended, 'POST', DOMAINS, { name: 'new.example' })).toEqual([403, 'premium_required'])
  })

  test('limits look-ups per subscriber', async () => {
    const eager = await subscriber('eager@real.example')
    await add(eager, 'eager.example')
    for (let i = 0; i < BURST; i++) await check(eager, 'eager.example')
    const refused = await eager.send('POST', `${DOMAINS}/eager.example/check`)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(900)
    await add(client, 'changed.example')
    expect((await check(client, 'changed.example')).state).toBe('pending')
  })
})

test('a service without own domains does not offer them, and lets a subscriber remove those from earlier', async () => {
  const earlier = await subscriber('earlier@real.example')
  const later = await subscriber('later@real.example')
  await add(earlier, 'earlier.example')
  await start({ MAYFLY_PREMIUM_OWN_DOMAINS_MAX: '0' })
  const [first, last] = [again(earlier), again(later)]
  /** Whether a page has the tab, and speaks of own domains. */
  const offers = async (client: SiteClient, path: string) => {
    const html = await (await client.send('GET', path)).text()
    expect(html).toContain('@real.example')
    return [html.includes('>Domains</a>'), html.includes('own domain')]
  }
  expect(await offers(last, '/en/account')).toEqual([false, false])
  expect(await offers(last, '/en/account/domains')).toEqual([false, false])
  expect(await offers(first, '/en/account')).toEqual([true, false])
  expect(await problem(last, 'POST', DOMAINS, { name: 'new.example' })).toEqual([409, 'domains_full'])
  expect((await first.send('DELETE', `${DOMAINS}/earlier.example`)).status).toBe(204)
  expect(await offers(first, '/en/account')).toEqual([false, false])
})

test('a service without API keys and webhooks has no tab for them, except for those from earlier', async () => {
  const earlier = await subscriber('coder@real.example')
  const later = await subscriber('reader@real.example')
  const { id } = await (await earlier.send('POST', '/api/v1/account/keys', { label: 'CI' })).json()
  await start({ MAYFLY_PREMIUM_KEYS_MAX: '0', MAYFLY_PREMIUM_WEBHOOKS_MAX: '0' })
  const [first, last] = [again(earlier), again(later)]
  const offers = async (client: SiteClient, path: string) => {
    const html = await (await client.send('GET', path)).text()
    expect(html).toContain('@real.example')
    return html.includes('>Developer</a>')
  }
  expect([await offers(last, '/en/account'), await offers(last, '/en/account/developer')]).toEqual([false, false])
  expect([await offers(first, '/en/account'), await offers(first, '/en/account/developer')]).toEqual([true, true])
  expect((await first.send('DELETE', `/api/v1/account/keys/${id}`)).status).toBe(204)
  expect(await offers(first, '/en/account')).toBe(false)
  await start({ MAYFLY_PREMIUM_KEYS_MAX: '0' })
  expect(await offers(again(later), '/en/account')).toBe(true)
})
