import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import { answerOf } from '#test/support/codes.ts'
import { current, keep, LIST, list, payload, send, subscriber } from '#test/support/fixtures/kept-client.ts'
import { type SiteClient, siteClient, signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { createAddress } from '#test/support/program/api.ts'
import { EventReader } from '#test/support/program/event-stream.ts'
import { type Program, type SharedProgram, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

const PLACES = 10
/** Changes within this many milliseconds are sent together. */
const GATHER = 50

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

test('allows ten addresses, and an eleventh only after one is deleted', async () => {
  const { client } = await subscriber(program)
  expect(await list(client)).toEqual([])
  for (let i = 0; i < PLACES; i++) await keep(client, { label: `No. ${i}` })
  expect((await list(client)).map(({ label }) => label)).toEqual(Array.from({ length: PLACES }, (_, i) => `No. ${i}`))
  expect(await answerOf(client.send('POST', LIST, {}))).toEqual([409, 'addresses_full'])
  expect(await answerOf(client.send('POST', '/api/v1/addresses', {}))).toEqual([409, 'addresses_full'])
  const [first] = await list(client)
  expect((await client.send('DELETE', `${LIST}/${first!.id}`)).status).toBe(204)
  await keep(client)
  expect(await list(client)).toHaveLength(PLACES)
  await expect(send(program, first!.address)).rejects.toThrow('550 5.1.1')
})

test('another device shows the same addresses with their messages and can switch between them', async () => {
  const { client, email } = await subscriber(program)
  const [one, two] = [await keep(client, { login: `a-${randomBytes(6).toString('hex')}` }), await keep(client)]
  await send(program, one.address, 'to the first')
  await send(program, two.address, 'to the second')
  await expect.poll(async () => (await list(client)).map(({ unread }) => unread)).toEqual([1, 1])

  const phone = await signedIn(program, email)
  expect((await list(phone)).map(({ address }) => address)).toEqual([one.address, two.address])
  const opened = await phone.send('POST', `${LIST}/${two.id}/open`)
  expect(await opened.json()).toMatchObject({ address: two.address, lifetime: 'subscription' })
  expect((await current(phone)).address).toBe(two.address)
  const { messages } = await phone.json('/api/v1/messages')
  expect(messages.map(({ subject }: { subject: string }) => subject)).toEqual(['to the second'])
  await phone.send('PATCH', `/api/v1/messages/${messages[0].id}`, { seen: true })
  expect((await list(client)).map(({ unread }) => unread)).toEqual([1, 0])
  await phone.send('POST', `${LIST}/${one.id}/open`)
  expect((await current(phone)).address).toBe(one.address)
})

test("a browser that was signed out from another one loses the subscription's addresses", async () => {
  const { client, email } = await subscriber(program)
  const kept = await keep(client)
  const adopted = await createAddress(program.url)
  const attempts: [string, (phone: SiteClient) => Promise<unknown>][] = [
    ['opened', (phone) => phone.send('POST', `${LIST}/${kept.id}/open`)],
    ['made', (phone) => phone.send('POST', '/api/v1/addresses', {})],
    [
      'adopted',
      async (phone) => {
        await phone.send('POST', '/api/v1/session', { secret: adopted.secret })
        await keep(phone, { adopt: true })
      },
    ],
  ]
  for (const [way, open] of attempts) {
    const phone = await signedIn(program, email)
    await open(phone)
    expect((await phone.send('GET', '/api/v1/address')).status, way).toBe(200)
    const { sessions } = await client.json('/api/v1/account')
    const other = sessions.find(({ current: own }: { current: boolean }) => !own)
    await client.send('DELETE', `/api/v1/account/sessions/${other.id}`)
    expect(await answerOf(phone.send('GET', '/api/v1/address')), way).toEqual([401, 'unauthorized'])
    expect(await payload(phone, '/'), way).toMatchObject({ data: { address: null, ended: false, createOnLoad: true } })
  }
  // A client with the secret itself needs no account.
  await client.send('POST', `${LIST}/${kept.id}/open`)
  const { secret } = (await (await client.send('POST', '/api/v1/session/reveal')).json()) as { secret: string }
  const link = siteClient(program)
  await link.send('POST', '/api/v1/session', { secret })
  expect((await current(link)).address).toBe(kept.address)
})

test('keeps an address, labels it, and removes it with its cookie', async () => {
  const { client } = await subscriber(program)
  const before = await createAddress(program.url)
  await client.send('POST', '/api/v1/session', { secret: before.secret })
  await send(program, before.address)
  const kept = await keep(client, { adopt: true, label: ' Shops\u202E ' })
  expect(kept).toMatchObject({ address: before.address, label: 'Shops', alive: true, expiresAt: null, private: false })
  expect((await before.get('/api/v1/address')).status).toBe(401)
  expect(await current(client)).toMatchObject({ lifetime: 'subscription' })
  expect((await client.json('/api/v1/messages')).messages).toHaveLength(1)
  const renamed = await client.send('PATCH', `${LIST}/${kept.id}`, { label: null })
  expect(await renamed.json()).toMatchObject({ id: kept.id, label: null })
  expect(await answerOf(client.send('PATCH', `${LIST}/${kept.id}`, { label: 'x'.repeat(41) }))).toEqual([
    422,
    'label_invalid',
  ])
  expect((await client.send('PATCH', `${LIST}/${kept.id}`, { label: 'x'.repeat(40) })).status).toBe(200)
  expect(client.cookies.has('mayfly_secret')).toBe(true)
  await client.send('DELETE', `${LIST}/${kept.id}`)
  expect(client.cookies.has('mayfly_secret')).toBe(false)
  await expect(send(program, before.address)).rejects.toThrow('550 5.1.1')
  // The cookie of another address stays.
  const [one, two] = [await keep(client), await keep(client)]
  await client.send('POST', `${LIST}/${one.id}/open`)
  await client.send('DELETE', `${LIST}/${two.id}`)
  expect((await current(client)).address).toBe(one.address)
})

test('the secret of an address is revealed to its subscriber on the site alone', async () => {
  const { client, email } = await subscriber(program)
  const kept = await keep(client)
  const path = `${LIST}/${kept.id}/reveal`
  const { secret } = (await (await client.send('POST', path)).json()) as { secret: string }
  const opened = await fetch(`${program.url}/api/v1/address`, { headers: { authorization: `Bearer ${secret}` } })
  expect(await opened.json()).toMatchObject({ address: kept.address })
  // Nothing is opened in the browser.
  expect(await answerOf(client.send('GET', '/api/v1/address'))).toEqual([401, 'unauthorized'])
  expect(await answerOf(client.send('POST', path, undefined, { origin: 'https://evil.example' }))).toEqual([
    403,
    'forbidden_origin',
  ])
  expect(await answerOf(siteClient(program).send('POST', path))).toEqual([401, 'not_signed_in'])
  const { client: other } = await subscriber(program)
  expect(await answerOf(other.send('POST', path))).toEqual([404, 'not_found'])
  const phone = await signedIn(program, email)
  expect((await phone.send('POST', path)).status).toBe(200)
})

test('an address deleted on the home page is removed from the list', async () => {
  const { client } = await subscriber(program)
  const kept = await keep(client)
  await client.send('POST', `${LIST}/${kept.id}/open`)
  expect((await client.send('DELETE', '/api/v1/address')).status).toBe(204)
  expect(await list(client)).toEqual([])
})

describe('an API call', () => {
  test.each([
    ['GET', LIST],
    ['POST', LIST],
    ['PATCH', `${LIST}/x`],
    ['DELETE', `${LIST}/x`],
    ['POST', `${LIST}/x/open`],
    ['GET', '/api/v1/account/events'],
  ])('%s %s needs a signed-in subscriber', async (method, path) => {
    const body = method === 'PATCH' ? { label: null } : path === LIST && method === 'POST' ? {} : undefined
    expect(await answerOf(siteClient(program).send(method, path, body))).toEqual([401, 'not_signed_in'])
    const owner = await createAddress(program.url)
    expect(await answerOf(owner.send(method, path, body))).toEqual([401, 'not_signed_in'])
  })

  test('from another site changes nothing', async () => {
    const { client } = await subscriber(program)
    const { id } = await keep(client)
    const elsewhere = { origin: 'https://elsewhere.example' }
    const calls: [string, string, object?][] = [
      ['POST', LIST, {}],
      ['PATCH', `${LIST}/${id}`, { label: 'x' }],
      ['DELETE', `${LIST}/${id}`],
      ['POST', `${LIST}/${id}/open`],
    ]
    for (const [method, path, body] of calls)
      expect(await answerOf(client.send(method, path, body, elsewhere))).toEqual([403, 'forbidden_origin'])
    expect(await list(client)).toMatchObject([{ id, label: null }])
  })

  test("for another subscriber's address gets 404", async () => {
    const [ann, ben] = [await subscriber(program), await subscriber(program)]
    const { id } = await keep(ann.client)
    expect(await answerOf(ben.client.send('PATCH', `${LIST}/${id}`, { label: 'x' }))).toEqual([404, 'not_found'])
    expect(await answerOf(ben.client.send('DELETE', `${LIST}/${id}`))).toEqual([404, 'not_found'])
    expect(await answerOf(ben.client.send('POST', `${LIST}/${id}/open`))).toEqual([404, 'not_found'])
    expect(await list(ann.client)).toMatchObject([{ id, label: null }])
  })

  describe('is refused', () => {
    let client: SiteClient
    beforeAll(async () => {
      ;({ client } = await subscriber(program))
    })

    test.each([
      [{ adopt: true, login: 'some.one' }, 400, 'invalid_request'],
      [{ adopt: true }, 401, 'unauthorized'],
      [{ login: 'x' }, 422, 'login_invalid'],
      [{ login: 'postmaster' }, 422, 'login_reserved'],
      [{ domain: 'elsewhere.example' }, 422, 'domain_unknown'],
      [{ label: 'x'.repeat(41) }, 422, 'label_invalid'],
      [{ label: 7 }, 400, 'invalid_request'],
      [{ other: true }, 400, 'invalid_request'],
    ])('with %j', async (request, status, code) => {
      expect(await answerOf(client.send('POST', LIST, request))).toEqual([status, code])
      expect(await list(client)).toEqual([])
    })
  })
})

describe('the stream of kept addresses', () => {
  const EVENTS = '/api/v1/account/events'
  const open = async (client: SiteClient) => new EventReader(await client.send('GET', EVENTS))
  const unread = (stream: EventReader) =>
    (stream.of('addresses').at(-1)?.addresses as KeptAddressJson[] | undefined)?.map((each) => each.unread)

  test('sends the list at once, and again after each change', async () => {
    const { client, email } = await subscriber(program)
    const [one, two] = [await keep(client), await keep(client)]
    const phone = await signedIn(program, email)
    const stream = await open(phone)
    await expect.poll(() => stream.of('addresses')).toHaveLength(1)
    expect(stream.of('addresses')[0]).toEqual({ addresses: await list(client) })
    await send(program, two.address)
    await expect.poll(() => unread(stream)).toEqual([0, 1])
    await send(program, one.address)
    await expect.poll(() => unread(stream)).toEqual([1, 1])
    await client.send('PATCH', `${LIST}/${one.id}`, { label: 'Work' })
    await expect.poll(() => stream.of('addresses').at(-1).addresses[0].label).toBe('Work')
    // Also a change of an address that was added meanwhile.
    const three = await keep(client)
    await expect.poll(() => unread(stream)).toEqual([1, 1, 0])
    await send(program, three.address)
    await expect.poll(() => unread(stream)).toEqual([1, 1, 1])
    // A second message, because the stream may have read the first one when it was notified of the new address.
    await send(program, three.address)
    await expect.poll(() => unread(stream)).toEqual([1, 1, 2])
    await client.send('DELETE', `${LIST}/${two.id}`)
    await expect.poll(() => unread(stream)).toEqual([1, 2])
    expect(stream.events.map(({ id }) => id)).toEqual(stream.events.map((_, i) => i + 1))
    stream.close()
  })

  test('groups concurrent changes, and repeats nothing', async () => {
    const { client } = await subscriber(program)
    const kept = await Promise.all([keep(client), keep(client), keep(client)])
    const stream = await open(client)
    await expect.poll(() => stream.of('addresses')).toHaveLength(1)
    await Promise.all(Array.from({ length: 24 }, (_, i) => send(program, kept[i % 3]!.address)))
    await expect.poll(() => unread(stream)).toEqual([8, 8, 8])
    // The store may have written several of the messages above at once. Labels are written one by one, so only the
    // stream can group their changes.
    const before = stream.events.length
    const begun = performance.now()
    for (let i = 0; i < 24; i++) await client.send('PATCH', `${LIST}/${kept[0]!.id}`, { label: `No. ${i}` })
    await expect.poll(() => JSON.stringify(stream.events.at(-1))).toContain('"No. 23"')
    // A timer of Node may be a millisecond early.
    expect(stream.events.length - before).toBeLessThanOrEqual(1 + (performance.now() - begun) / (GATHER - 1))
    const payloads = stream.events.map(({ data }) => JSON.stringify(data))
    expect(new Set(payloads).size).toBe(payloads.length)
    stream.close()
  })

  describe('with few places and many changes', () => {
    let other: Program
    let client: SiteClient
    const email = 'ann@real.example'
    beforeAll(async () => {
      const env = { ...WITHOUT_LIMITS, MAYFLY_STREAMS_PER_IP_MAX: '2', MAYFLY_STREAM_KEEPALIVE_SECONDS: '1' }
      other = await startProgram({ env })
      await subscribeIn(other, email)
      client = await signedIn(other, email)
    })
    afterAll(() => other.stop())

    test('continues while nothing happens, and ends with the session', async () => {
      const stream = await open(client)
      await expect.poll(() => stream.comments).toBeGreaterThan(1)
      expect(stream.of('addresses')).toEqual([{ addresses: [] }])
      await client.send('DELETE', '/api/v1/account/session')
      await expect.poll(() => stream.ended).toBe(true)
    })

    test('shares the places of other streams, and ends with the program at once', async () => {
      client = await signedIn(other, email)
      const streams = [await open(client), await open(client)]
      expect(await answerOf(client.send('GET', EVENTS))).toEqual([429, 'too_many_requests'])
      expect((await client.send('HEAD', EVENTS)).headers.get('content-type')).toMatch(/^text\/event-stream/)
      streams[0]!.close()
      const again = () =>
        open(client).then(
          (stream) => streams.push(stream),
          () => 'full',
        )
      await expect.poll(again).toBe(3)
      await expect.poll(() => streams[2]!.of('addresses')).toHaveLength(1)
      const stopped = performance.now()
      expect(await other.stop()).toBe(0)
      expect(performance.now() - stopped).toBeLessThan(5000)
      expect(streams[2]!.ended).toBe(true)
    })
  })
})
