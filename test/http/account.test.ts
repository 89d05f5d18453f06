import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { keptRow } from '#core/account/kept-address.ts'
import { deriveKeys, nameKey } from '#mail/sealing/keys.ts'
import { answerOf } from '#test/support/codes.ts'
import { formsOf, ByteSearch } from '#test/support/fixtures/byte-search.ts'
import {
  keyOf,
  signedIn,
  type SiteClient,
  siteClient,
  subscribeIn,
  withStore,
} from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const SIGN_IN = '/api/v1/account/sign-in'
const SESSION = '/api/v1/account/session'
const ACCOUNT = '/api/v1/account'
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const statusOf = async (client: SiteClient) => (await client.send('GET', ACCOUNT)).status

let program: Program
beforeAll(async () => {
  program = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_STREAMS_PER_IP_MAX: '1' } })
})
afterAll(() => program.stop())

/** A new subscriber for each test, and the token of a link that a browser requested. */
let subscribers = 0
async function subscriber(): Promise<string> {
  const email = `subscriber${++subscribers}@example.com`
  await subscribeIn(program, email)
  return email
}
async function askedBy(client: SiteClient, email: string): Promise<string> {
  expect((await client.send('POST', SIGN_IN, { email, lang: 'de' })).status).toBe(202)
  const { link } = await outboxOf(program).next(email, 'sign-in')
  expect(link.pathname).toBe('/de/account')
  return link.searchParams.get('link')!
}

describe('signing in', () => {
  test('a link signs in the browser that requested it, until it signs out', async () => {
    const email = await subscriber()
    const client = siteClient(program)
    expect(await answerOf(client.send('GET', ACCOUNT))).toEqual([401, 'not_signed_in'])
    const token = await askedBy(client, email)
    expect((await siteClient(program).send('POST', SESSION, { token })).status).toBe(409)
    const opened = await client.send('POST', SESSION, { token })
    expect(opened.status).toBe(204)
    expect(opened.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^mayfly_account=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    const account: any = await client.json(ACCOUNT)
    expect(account).toMatchObject({ email, state: 'ending', sessions: [{ label: 'Firefox, Linux', current: true }] })
    await client.send('DELETE', SESSION)
    for (const each of [token, 'x'])
      expect(await answerOf(client.send('POST', SESSION, { token: each }))).toEqual([410, 'sign_in_link_invalid'])
  })

  test('responses do not reveal whether an email address has a subscription', async () => {
    const email = await subscriber()
    const answers = await Promise.all(
      [email, 'nobody@example.com'].map(async (each) => {
        const response = await siteClient(program).send('POST', SIGN_IN, { email: each })
        const headers = Object.fromEntries(
          [...response.headers].filter(([name]) => !/^(?:date|ratelimit-.*|set-cookie)$/.test(name)),
        )
        const cookies = response.headers.getSetCookie().map((line) => line.replace(/=[\w-]{43};/, ''))
        return { status: response.status, headers, cookies, body: await response.text() }
      }),
    )
    expect(answers[0]).toMatchObject({ status: 202, body: '' })
    expect(answers[0]!.cookies).toEqual([
      expect.stringMatching(/^mayfly_browser Max-Age=86400; .*HttpOnly; SameSite=Lax$/),
    ])
    expect(answers[1]).toEqual(answers[0])
    expect(await answerOf(siteClient(program).send('POST', SIGN_IN, { email: 'nobody' }))).toEqual([
      422,
      'email_invalid',
    ])
  })

  describe('on a site with https and low limits', () => {
    const origin = { origin: 'https://mayfly.example' }
    let secure: Program
    beforeAll(async () => {
      secure = await startProgram({
        env: {
          ...WITHOUT_LIMITS,
          MAYFLY_PUBLIC_URL: 'https://mayfly.example',
          MAYFLY_SIGN_IN_BURST: '3',
          MAYFLY_SIGN_IN_SECONDS: '700',
          MAYFLY_SIGN_IN_LINKS_MAX: '1',
        },
      })
    })
    afterAll(() => secure.stop())

    test('cookies are Secure and for this host only', async () => {
      await subscribeIn(secure, 'cyd@example.com')
      const client = siteClient({ url: `http://localhost:${secure.httpPort}` })
      const requested = await client.send('POST', SIGN_IN, { email: 'cyd@example.com' }, origin)
      const { link } = await outboxOf(secure).next('cyd@example.com')
      expect(link.origin).toBe('https://mayfly.example')
      const opened = await client.send('POST', SESSION, { token: link.searchParams.get('link') }, origin)
      expect(opened.status).toBe(204)
      for (const [response, name] of [
        [requested, 'browser'],
        [opened, 'account'],
      ] as const) {
        const pattern = `^__Host-mayfly_${name}=[\\w-]{43}; Max-Age=\\d+; Path=/; HttpOnly; Secure; SameSite=Lax$`
        expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(new RegExp(pattern))])
      }
      expect((await client.send('GET', ACCOUNT)).status).toBe(200)
    })

    test('limits links per client and per email address as configured', async () => {
      for (const each of ['ann@example.com', 'bob@example.com']) await subscribeIn(secure, each)
      const url = `http://localhost:${secure.httpPort}`
      const from = (ip: string) => ({ ...origin, 'x-forwarded-for': ip })
      const ask = (ip: string, email = 'ann@example.com') =>
        siteClient({ url }).send('POST', SIGN_IN, { email }, from(ip))
      for (let i = 0; i < 3; i++) expect((await ask('203.0.113.1')).status).toBe(202)
      const refused = await ask('203.0.113.1')
      // 700 seconds, minus those since the first request.
      expect(refused.headers.get('retry-after')).toMatch(/^(?:700|6\d\d)$/)
      expect(await answerOf(refused)).toEqual([429, 'too_many_requests'])
      const body = form({ email: 'a@b.example' })
      const action = await siteClient({ url }).send('POST', '/actions/sign-in', body, from('203.0.113.1'))
      expect(action.headers.get('location')).toMatch(/^\/account\?error=too_many_requests&retry=(?:700|6\d\d)$/)
      expect((await ask('203.0.113.2', 'bob@example.com')).status).toBe(202)
      const outbox = outboxOf(secure)
      await outbox.next('bob@example.com')
      const sent = (await outbox.all()).map(({ to }) => to?.[0]?.address)
      expect(sent.filter((to) => to !== 'cyd@example.com').toSorted()).toEqual(['ann@example.com', 'bob@example.com'])
    })
  })

  test.each<[string, string, object | undefined]>([
    ['POST', SIGN_IN, { email: 'ann@example.com' }],
    ['POST', SESSION, { token: 'x' }],
    ['DELETE', SESSION, undefined],
    ['DELETE', `${ACCOUNT}/sessions/x`, undefined],
    ['POST', `${ACCOUNT}/portal`, undefined],
    ['DELETE', ACCOUNT, { email: 'ann@example.com' }],
  ])('%s %s works only from pages of this site', async (method, path, body) => {
    const client = await signedIn(program, await subscriber())
    for (const origin of ['https://evil.example', 'null', ''])
      expect(await answerOf(client.send(method, path, body, { origin }))).toEqual([403, 'forbidden_origin'])
    expect(await statusOf(client)).toBe(200)
  })
})

describe('without JavaScript', () => {
  test('one form requests the link, another opens it, a third signs out', async () => {
    const email = await subscriber()
    const client = siteClient(program)
    const response = await client.send('POST', '/actions/sign-in', form({ email, lang: 'de' }))
    expect([response.status, response.headers.get('location')]).toEqual([303, '/de/account?sent=1'])
    const { link } = await outboxOf(program).next(email)
    const token = link.searchParams.get('link')!
    const opened = await client.send('POST', '/actions/sign-in-link', form({ token, lang: 'de' }))
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/de/account'])
    const out = await client.send('POST', '/actions/sign-out', form({ lang: 'de' }))
    expect(out.headers.get('location')).toBe('/de/account')
    expect(client.cookies.has('mayfly_account')).toBe(false)
    const again = await client.send('POST', '/actions/sign-in-link', form({ token, lang: 'de' }))
    expect(again.headers.get('location')).toBe('/de/account?error=sign_in_link_invalid')
  })

  test('invalid input is reported, and other sites are refused', async () => {
    const client = siteClient(program)
    const typed = await client.send('POST', '/actions/sign-in', form({ email: 'ann@', lang: 'en' }))
    expect(typed.headers.get('location')).toBe('/en/account?error=email_invalid')
    for (const action of ['sign-in', 'sign-in-link', 'sign-in-code', 'sign-out']) {
      const origin = { origin: 'https://evil.example' }
      const refused = await client.send('POST', `/actions/${action}`, form({ email: 'ann@example.com' }), origin)
      expect(refused.headers.get('location')).toBe('/account?error=forbidden_origin')
    }
  })
})

describe('signed in', () => {
  test('a browser signs out another browser, and itself', async () => {
    const email = await subscriber()
    const [here, there] = [await signedIn(program, email), await signedIn(program, email)]
    const { sessions }: any = await here.json(ACCOUNT)
    expect(sessions).toHaveLength(2)
    const { id } = sessions.find(({ current }: { current: boolean }) => !current)
    const stranger = await signedIn(program, await subscriber())
    const path = `${ACCOUNT}/sessions/${id}`
    expect(await answerOf(stranger.send('DELETE', path))).toEqual([404, 'session_not_found'])
    expect((await here.send('DELETE', path)).status).toBe(204)
    expect([await statusOf(here), await statusOf(there), await statusOf(stranger)]).toEqual([200, 401, 200])
    const token = here.cookies.get('mayfly_account')!
    expect((await here.send('DELETE', SESSION)).status).toBe(204)
    expect(here.cookies.has('mayfly_account')).toBe(false)
    here.cookies.set('mayfly_account', token)
    expect(await statusOf(here)).toBe(401)
    expect((await here.send('DELETE', SESSION)).status).toBe(204)
  })

  test('there is no portal if nothing renews', async () => {
    const client = await signedIn(program, await subscriber())
    expect(await answerOf(client.send('POST', `${ACCOUNT}/portal`))).toEqual([404, 'portal_unavailable'])
  })

  /** Creates an address that a subscriber keeps. Returns a client with its secret. */
  async function keptBy(email: string): Promise<ApiClient> {
    const address = await createAddress(program.url)
    const serviceKey = await keyOf(program)
    await withStore(program, async ({ keptAddresses, subscriptions }, wrap) => {
      const subscription = (await subscriptions.findByEmail(wrap.hash('email', email)))!
      const row = { addressId: deriveKeys(address.secret)!.id, subscriptionId: subscription.id }
      const kept = {
        ...row,
        nameKey: nameKey(serviceKey, address.address),
        sealedName: wrap.wrap('address', address.address, keptRow(row)),
        sealedLabel: null,
        sealedSecret: wrap.wrap('address secret', address.secret, keptRow(row)),
        createdAt: Date.now(),
      }
      expect(await keptAddresses.add(kept, 10, Date.now())).toBe(true)
    })
    return address
  }

  test('exports everything in one file, which is created while it is read', async () => {
    const email = await subscriber()
    const { address } = await keptBy(email)
    const attachments = [{ filename: 'a.bin', content: randomBytes(5_000_000) }]
    await sendMail(program.smtpPort, { to: address, subject: 'One', text: 'x' })
    await sendMail(program.smtpPort, { to: address, subject: 'Two', text: 'x', attachments })
    const client = await signedIn(program, email)
    const response = await client.send('GET', `${ACCOUNT}/export`)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="mayfly\.zip"/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    expect(Object.keys(files).filter((name) => name.startsWith(`mail/${address}/`))).toHaveLength(2)
    expect(JSON.parse(Buffer.from(files['account.json']!).toString())).toMatchObject({ email })

    // A client that leaves early returns its place; there is only one here.
    for (let i = 0; i < 3; i++) {
      const aborted = await vi.waitFor(async () => {
        const begun = await client.send('GET', `${ACCOUNT}/export`)
        expect(begun.status).toBe(200)
        return begun
      }, PATIENCE)
      await aborted.body!.cancel()
    }
    expect((await siteClient(program).send('GET', `${ACCOUNT}/export`)).status).toBe(401)
  })

  test('deletes an account at once, on every device', async () => {
    const email = await subscriber()
    const address = await keptBy(email)
    await sendMail(program.smtpPort, { to: address.address, subject: 'One', text: 'x' })
    const [here, there] = [await signedIn(program, email), await signedIn(program, email)]
    expect(await answerOf(here.send('DELETE', ACCOUNT, { email: 'other@example.com' }))).toEqual([422, 'email_invalid'])
    expect(await answerOf(here.send('DELETE', ACCOUNT))).toEqual([400, 'invalid_request'])
    expect((await address.get('/api/v1/address')).status).toBe(200)
    expect((await here.send('DELETE', ACCOUNT, { email: email.toUpperCase() })).status).toBe(204)
    expect(here.cookies.has('mayfly_account')).toBe(false)
    expect(await statusOf(there)).toBe(401)
    expect((await address.get('/api/v1/address')).status).toBe(401)
    const { id } = deriveKeys(address.secret)!
    expect(await withStore(program, ({ messages }) => messages.list(id, { now: 0, limit: 1 }))).toEqual([])
    expect((await siteClient(program).send('POST', SIGN_IN, { email })).status).toBe(202)
  })
})

test('log, metrics and database contain no email address of a subscriber', async () => {
  const email = 'canary-qzxwvk@example.com'
  await subscribeIn(program, email)
  const client = await signedIn(program, email)
  await client.send('GET', `${ACCOUNT}/export`)
  const metrics = await (await fetch(program.metricsUrl)).text()
  expect(metrics).toContain('mayfly_letters_sent_total{kind="sign-in"}')
  const written = [metrics, ...program.stdout, ...program.stderr].join('\n')
  for (const secret of ['canary-qzxwvk', client.cookies.get('mayfly_account')!]) expect(written).not.toContain(secret)
  const search = new ByteSearch()
  for (const part of formsOf('canary-qzxwvk')) search.add('email', part)
  for (const part of formsOf(client.cookies.get('mayfly_account')!)) search.add('session', part)
  // The email in the outbox is addressed to the subscriber.
  await rm(join(program.dataDir, 'outbox'), { recursive: true })
  expect(await search.inFiles(program.dataDir)).toEqual([])
})
