import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { RawClient } from '#smtp/testing.ts'
import { answerOf } from '#test/support/codes.ts'
import { current, keep, LIST, list, payload, send, subscriber } from '#test/support/fixtures/kept-client.ts'
import { type SiteClient, siteClient, signedIn, withStore } from '#test/support/fixtures/subscriber.ts'
import { call, clientOf, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

let program: Program
let adDirectory: string
beforeAll(async () => {
  adDirectory = await mkdtemp(join(tmpdir(), 'mayfly-ad-'))
  const file = join(adDirectory, 'ad.html')
  await writeFile(file, '<p>Buy a boat</p>')
  program = await startProgram({
    env: {
      ...WITHOUT_LIMITS,
      MAYFLY_SIGN_IN_BURST: '1000',
      MAYFLY_SWEEP_SECONDS: '1',
      MAYFLY_MESSAGE_MAX_BYTES: '100KB',
      MAYFLY_PREMIUM_MESSAGE_MAX_BYTES: '300KB',
      MAYFLY_PREMIUM_STORAGE_BYTES: '500KB',
      MAYFLY_AD_TOP_FILE: file,
    },
  })
})
afterAll(async () => {
  await program.stop()
  await rm(adDirectory, { recursive: true })
})

describe('an address created on the site', () => {
  test('by a subscriber is kept, under every domain of the service, and becomes the current one', async () => {
    const { client } = await subscriber(program)
    const first = await keep(client)
    await client.send('POST', `${LIST}/${first.id}/open`)
    const login = `vip-${randomBytes(6).toString('hex')}`
    const request = { login, domain: 'vip.mayfly.test', lifetime: 'day', replace: true }
    const made = await client.send('POST', '/api/v1/addresses', request)
    expect([made.status, await made.json()]).toMatchObject([
      201,
      { address: `${login}@vip.mayfly.test`, lifetime: 'subscription' },
    ])
    expect((await current(client)).address).toBe(`${login}@vip.mayfly.test`)
    // A kept address is not replaced.
    expect((await list(client)).map(({ address, alive }) => [address, alive])).toEqual([
      [first.address, true],
      [`${login}@vip.mayfly.test`, true],
    ])
    await send(program, `${login}@vip.mayfly.test`)
  })

  test('is shown on the home page if the first one is damaged', async () => {
    const { client } = await subscriber(program)
    const made = [await keep(client), await keep(client)]
    const [first, second] = (await list(client)).map(({ id }) => made.find((each) => each.id === id)!)
    await withStore(program, async ({ wraps }) => {
      const secrets = await wraps.list('kept_addresses.sealed_secret', 2, 1000)
      const stored = secrets.find(({ key }) => key === first!.id)!
      await wraps.replace('kept_addresses.sealed_secret', stored, Buffer.alloc(stored.sealed.length))
    })
    expect((await client.send('GET', '/')).status).toBe(200)
    expect((await current(client)).address).toBe(second!.address)
  })

  test('without JavaScript is kept too', async () => {
    const { client } = await subscriber(program)
    const login = `plain-${randomBytes(6).toString('hex')}`
    const fields = new URLSearchParams({ lang: 'en', login, domain: 'vip.mayfly.test' })
    const answer = await client.send('POST', '/actions/change', fields)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/en'])
    expect((await list(client)).map(({ address }) => address)).toEqual([`${login}@vip.mayfly.test`])
  })

  test('for ten minutes is not kept, and ends no kept address', async () => {
    const { client } = await subscriber(program)
    const kept = await keep(client)
    await client.send('POST', `${LIST}/${kept.id}/open`)
    const made = await client.send('POST', '/api/v1/addresses', { lifetime: 'ten-minutes', replace: true })
    expect(await made.json()).toMatchObject({ lifetime: 'ten-minutes' })
    expect(await list(client)).toMatchObject([{ id: kept.id, alive: true }])
    // The ten-minute address is replaced as usual.
    const { address } = await current(client)
    await client.send('POST', '/api/v1/addresses', { lifetime: 'ten-minutes', replace: true })
    await expect(send(program, address)).rejects.toThrow('550 5.1.1')
  })

  test('by a program is free, whoever is signed in, and ends no kept address', async () => {
    const { client } = await subscriber(program)
    const { id, address } = await keep(client)
    await client.send('POST', `${LIST}/${id}/open`)
    const secret = (await (await client.send('POST', '/api/v1/session/reveal')).json()) as { secret: string }
    expect(
      await answerOf(call(program.url, 'POST', '/api/v1/addresses', { domain: 'vip.mayfly.test' }, secret.secret)),
    ).toEqual([403, 'premium_required'])
    const made = await call(program.url, 'POST', '/api/v1/addresses', { replace: true }, secret.secret)
    expect(await made.json()).toMatchObject({ lifetime: 'day' })
    expect((await list(client)).map((each) => each.address)).toEqual([address])
    expect(await clientOf(program.url, address, secret.secret).json('/api/v1/address')).toMatchObject({ address })
  })

  test.each([
    ['a visitor who is not signed in', async () => siteClient(program)],
    [
      'a subscriber whose subscription has ended',
      async () => (await subscriber(program, { paidUntil: Date.now() - 1 })).client,
    ],
  ])('by %s is under free domains only', async (_who, clientFor) => {
    const client = await clientFor()
    const domain = 'vip.mayfly.test'
    expect(await answerOf(client.send('POST', '/api/v1/addresses', { domain }))).toEqual([403, 'premium_required'])
    const made = await client.send('POST', '/api/v1/addresses', {})
    expect(await made.json()).toMatchObject({ lifetime: 'day' })
  })
})

describe('messages of a subscription', () => {
  test('may be larger and have more room, which all addresses share', async () => {
    const { client } = await subscriber(program)
    const [one, two] = [await keep(client), await keep(client)]
    const free = await createAddress(program.url)
    await send(program, one.address, 'large', 250_000)
    await expect(send(program, free.address, 'large', 250_000)).rejects.toThrow('552 5.3.4')
    await expect(send(program, one.address, 'too large', 320_000)).rejects.toThrow('552 5.3.4')
    await send(program, two.address, 'large', 200_000)
    await expect(send(program, one.address, 'large', 100_000)).rejects.toThrow('452 4.2.2')
    await client.send('POST', `${LIST}/${two.id}/open`)
    const { storage } = await current(client)
    expect(storage.limitBytes).toBe(500 * 1024)
    expect(storage.usedBytes).toBe((await list(client)).reduce((sum, { usedBytes }) => sum + usedBytes, 0))
    const { messages } = await client.json('/api/v1/messages')
    expect(messages).toMatchObject([{ subject: 'large', unreadable: false }])
    await client.send('DELETE', `/api/v1/messages/${messages[0].id}`)
    await send(program, one.address, 'large', 100_000)
  })

  test('in one transaction with another recipient: by the declared size for each, or one after the other', async () => {
    const { client } = await subscriber(program)
    const kept = await keep(client)
    const free = await createAddress(program.url)
    const smtp = await RawClient.connect(program.smtpPort)
    expect(await smtp.ask('EHLO sender.example')).toContain(`SIZE ${300 * 1024}\n`)
    const [both, size] = [[kept.address, free.address], 100 * 1024]
    const rcpt = async (mail: string, recipients = both): Promise<string[]> => {
      await smtp.ask(`MAIL FROM:<a@sender.example>${mail}`)
      const replies = []
      for (const recipient of recipients) replies.push((await smtp.ask(`RCPT TO:<${recipient}>`)).slice(0, 9))
      return replies
    }
    const data = async (subject: string): Promise<string> => {
      await smtp.ask('DATA')
      return (await smtp.ask(`Subject: ${subject}\r\n\r\nx\r\n.`)).slice(0, 9)
    }
    expect(await rcpt(` SIZE=${size}`)).toEqual(['250 2.1.5', '250 2.1.5'])
    expect(await data('small')).toBe('250 2.6.0')
    expect(await rcpt(` SIZE=${size + 1}`)).toEqual(['250 2.1.5', '552 5.3.4'])
    expect(await data('large')).toBe('250 2.6.0')
    expect(await rcpt('')).toEqual(['250 2.1.5', '452 4.5.3'])
    expect(await data('unknown')).toBe('250 2.6.0')
    expect(await rcpt('', both.slice(1))).toEqual(['250 2.1.5'])
    expect(await data('unknown')).toBe('250 2.6.0')
    smtp.close()
    await client.send('POST', `${LIST}/${kept.id}/open`)
    const subjects = async (of: { json<T = any>(path: string): Promise<T> }) =>
      (await of.json('/api/v1/messages')).messages.map(({ subject }: { subject: string }) => subject)
    expect(await subjects(client)).toEqual(['unknown', 'large', 'small'])
    expect(await subjects(free)).toEqual(['unknown', 'small'])
  })
})

describe('after the end of a subscription', () => {
  test("addresses work but can't be added; after the lapse they expire as free ones, and return with the subscription", async () => {
    const { client, subscription } = await subscriber(program)
    const kept = await keep(client, { label: 'mine' })
    await send(program, kept.address)
    await client.send('POST', `${LIST}/${kept.id}/open`)
    const change = (state: { paidUntil: number; lapsed: boolean }) =>
      withStore(program, async ({ subscriptions }) => {
        const { id, revision } = (await subscriptions.find(subscription.id))!
        expect(await subscriptions.change(id, revision, state)).toBe(true)
      })

    await change({ paidUntil: Date.now() - DAY, lapsed: false })
    expect(await answerOf(client.send('POST', LIST, {}))).toEqual([403, 'premium_required'])
    expect(await answerOf(client.send('POST', LIST, { adopt: true }))).toEqual([403, 'premium_required'])
    expect(await list(client)).toMatchObject([{ alive: true, expiresAt: null, label: 'mine' }])
    expect((await client.json('/api/v1/messages')).messages).toHaveLength(1)

    await change({ paidUntil: Date.now() - DAY, lapsed: true })
    const end = await withStore(program, async ({ keptAddresses }) => {
      const soon = Date.now() + 4000
      await keptAddresses.release(subscription.id, soon, soon + 30 * DAY, Date.now())
      return soon
    })
    expect(await list(client)).toMatchObject([{ alive: true, expiresAt: new Date(end).toISOString(), unread: 1 }])
    // Without visits.
    await expect.poll(() => list(client)).toMatchObject([{ alive: false, expiresAt: null, unread: 0 }])
    expect(await answerOf(client.send('POST', `${LIST}/${kept.id}/open`))).toEqual([422, 'address_invalid'])
    await expect(send(program, kept.address)).rejects.toThrow('550 5.1.1')

    await change({ paidUntil: Date.now() + DAY, lapsed: false })
    await expect
      .poll(() => list(client))
      .toMatchObject([{ id: kept.id, alive: true, expiresAt: null, label: 'mine', unread: 0 }])
    expect(await current(client)).toMatchObject({ address: kept.address, lifetime: 'subscription' })
    expect((await client.json('/api/v1/messages')).messages).toEqual([])
    await send(program, kept.address)
  })
})

describe('pages', () => {
  test('show no advertisements to a subscriber, are not cached for others, and name the email address only where it matters', async () => {
    const { client, email } = await subscriber(program)
    const visitor = siteClient(program)
    const textOf = async (of: SiteClient, path: string) => (await of.send('GET', path)).text()
    for (const path of ['/en/terms', '/en/premium', '/en/change', '/en']) {
      const theirs = await textOf(client, path)
      // The Premium page says which email address a new order is for.
      const naming = path === '/en/premium'
      expect([path, theirs.includes('/ads/top'), theirs.includes(email)]).toEqual([path, false, naming])
      expect((await payload(client, path)).site).toMatchObject({
        account: { active: true },
        ads: { top: 0, bottom: 0 },
      })
      expect(await textOf(visitor, path)).toContain('/ads/top')
    }
    const missing = await textOf(client, '/en/nowhere')
    expect([missing.includes('<h1'), missing.includes('/ads/top')]).toEqual([true, false])
    expect((await payload(visitor, '/en/terms')).site).toMatchObject({ account: null, ads: { top: 90 } })
    // The reverse: a subscriber does not get the cached page.
    for (let i = 0; i < 3; i++) {
      expect(await textOf(visitor, '/en/privacy')).toContain('/ads/top')
      expect(await textOf(client, '/en/privacy')).not.toContain('/ads/top')
    }
    expect((await client.send('GET', '/en/privacy')).headers.get('cache-control')).toBe('private, no-store')
  })

  test('show advertisements again after the end', async () => {
    const { client } = await subscriber(program, { paidUntil: Date.now() - 1 })
    expect((await payload(client, '/en/terms')).site).toMatchObject({ account: { active: false }, ads: { top: 90 } })
  })

  test('a cached page contains nothing about the signed-in subscriber', async () => {
    const { client } = await subscriber(program)
    expect((await payload(client, '/en/offline')).site.account).toBeNull()
  })

  test('the home page shows an existing kept address to a subscriber on a new device', async () => {
    const { client, email } = await subscriber(program)
    expect((await payload<'home'>(client, '/')).data).toMatchObject({ kept: [], address: null, createOnLoad: true })
    const [one, two] = [await keep(client), await keep(client)]
    await send(program, one.address, 'for me')
    await expect.poll(async () => (await list(client))[0]?.unread).toBe(1)
    const phone = await signedIn(program, email)
    const { data } = await payload<'home'>(phone, '/')
    expect(data).toMatchObject({
      address: { address: one.address, lifetime: 'subscription' },
      createOnLoad: false,
      ended: false,
      inbox: { messages: [{ subject: 'for me' }] },
    })
    expect(data.kept).toEqual(await list(client))
    expect((await current(phone)).address).toBe(one.address)
    await phone.send('POST', `${LIST}/${two.id}/open`)
    expect((await payload<'home'>(phone, '/')).data.address?.address).toBe(two.address)
    await phone.send('DELETE', '/api/v1/address')
    expect((await payload<'home'>(phone, '/')).data.address?.address).toBe(one.address)
  })

  test('the ten-minute page does not change kept addresses', async () => {
    const { client } = await subscriber(program)
    const kept = await keep(client)
    const at = async () => (await payload<'home'>(client, '/en/10-minute-mail')).data
    expect(await at()).toMatchObject({ address: null, other: null, createOnLoad: true })
    await client.send('POST', `${LIST}/${kept.id}/open`)
    expect(await at()).toMatchObject({ address: null, other: kept.address, createOnLoad: false })
  })

  test('a visitor has no list, and the change page lists the domains that may be chosen', async () => {
    const { client } = await subscriber(program)
    const visitor = siteClient(program)
    expect((await payload<'home'>(visitor, '/')).data.kept).toBeNull()
    expect((await payload<'change'>(visitor, '/en/change')).data).toMatchObject({ premium: false, own: [] })
    expect((await payload<'change'>(client, '/en/change')).data).toMatchObject({ premium: true, own: [] })
    const { client: late } = await subscriber(program, { paidUntil: Date.now() - 1 })
    expect((await payload<'change'>(late, '/en/change')).data.premium).toBe(false)
  })
})
