import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { keep, LIST, list } from '#test/support/fixtures/kept-client.ts'
import { type SiteClient, siteClient } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { call, clientOf, createAddress } from '#test/support/program/api.ts'
import { EventReader } from '#test/support/program/event-stream.ts'
import { HOUSES, type Nodes, openNodes } from '#test/support/program/nodes.ts'
import type { Program } from '#test/support/program/program.ts'

const KEYS = '/api/v1/account/keys'
const EVENTS = '/api/v1/events'

/** What waits on a node: an open stream and a long poll. */
interface Held {
  stream: EventReader
  answer: Promise<[number, string]>
}

type Ask = (path: string) => Promise<Response>

/** Opens both. Resolves when the stream has sent something. */
async function hold(ask: Ask, events = EVENTS): Promise<Held> {
  const stream = new EventReader(await ask(events))
  const answer =
    events === EVENTS
      ? answerOf(ask('/api/v1/messages?wait=60&subject=after'))
      : Promise.resolve<[number, string]>([401, ''])
  await expect.poll(() => stream.events.length).toBeGreaterThan(0)
  return { stream, answer }
}

/** Within a second, with a margin for a busy machine. */
const soon = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 3000, interval: 20 })

async function isOver({ stream, answer }: Held): Promise<void> {
  await soon(() => expect(stream.ended).toBe(true))
  expect(stream.events.at(-1)?.event).toBe('end')
  expect((await answer)[0]).toBe(401)
}

const byKey =
  ({ url }: Program, token: string, secret: string): Ask =>
  (path) =>
    fetch(url + path, { headers: { authorization: `Bearer ${secret}`, 'x-api-key': token } })
const byCookie =
  (client: SiteClient): Ask =>
  (path) =>
    client.send('GET', path)
const bySecret =
  ({ url }: Program, secret: string): Ask =>
  (path) =>
    fetch(url + path, { headers: { authorization: `Bearer ${secret}` } })

describe.each(HOUSES)('with %s', (fixture) => {
  let nodes: Nodes
  beforeAll(async () => {
    // Keep-alives would come too late to end a stream.
    nodes = await openNodes(fixture, { MAYFLY_STREAM_KEEPALIVE_SECONDS: '300', MAYFLY_STREAMS_PER_IP_MAX: '1000' })
  })
  afterAll(() => nodes.stop())

  /** A browser at the other node with one of the subscriber's addresses. */
  async function device(email: string, id: string): Promise<SiteClient> {
    const browser = await nodes.signedIn(email)
    expect((await browser.send('POST', `${LIST}/${id}/open`)).status).toBe(200)
    return nodes.at(nodes.there, browser)
  }

  test('a browser that was signed out from another one gets nothing more; others continue', async () => {
    const { client, email } = await nodes.subscriber()
    const kept = await keep(client)
    const phone = await device(email, kept.id)
    const { sessions } = await client.json('/api/v1/account')
    const other = sessions.find(({ current }: { current: boolean }) => !current)
    const tablet = await device(email, kept.id)
    const held = [await hold(byCookie(phone)), await hold(byCookie(phone), '/api/v1/account/events')]
    const stays = await hold(byCookie(tablet))
    expect((await client.send('DELETE', `/api/v1/account/sessions/${other.id}`)).status).toBe(204)
    await Promise.all(held.map(isOver))
    await sendMail(nodes.here.smtpPort, { to: kept.address, subject: 'after', text: 'after' })
    await expect.poll(() => stays.stream.of('message').length).toBeGreaterThan(0)
    expect((await stays.answer)[0]).toBe(200)
    expect(held.flatMap(({ stream }) => stream.of('message'))).toEqual([])
    stays.stream.close()
  })

  test('a browser that signs itself out gets nothing more in its other tabs', async () => {
    const { client, email } = await nodes.subscriber()
    const kept = await keep(client)
    const phone = await device(email, kept.id)
    const held = [await hold(byCookie(phone)), await hold(byCookie(phone), '/api/v1/account/events')]
    expect((await nodes.at(nodes.here, phone).send('DELETE', '/api/v1/account/session')).status).toBe(204)
    await Promise.all(held.map(isOver))
  })

  test('revoking an API key ends its requests, and the key is refused everywhere', async () => {
    const { client } = await nodes.subscriber()
    const key = (await (await client.send('POST', KEYS, { label: 'Tests' })).json()) as { id: string; token: string }
    const owner = await createAddress(nodes.here.url)
    const ask = byKey(nodes.there, key.token, owner.secret)
    const held = await hold(ask)
    const stays = await hold(bySecret(nodes.there, owner.secret))
    expect((await client.send('DELETE', `${KEYS}/${key.id}`)).status).toBe(204)
    await isOver(held)
    expect(await answerOf(ask('/api/v1/domains'))).toEqual([401, 'key_invalid'])
    expect(stays.stream.ended).toBe(false)
    stays.stream.close()
    await owner.send('DELETE', '/api/v1/address')
  })

  test('the end of the paid time ends requests with a key', async () => {
    const { client, id } = await nodes.subscriber()
    const key = (await (await client.send('POST', KEYS, { label: 'Tests' })).json()) as { token: string }
    const owner = await createAddress(nodes.here.url)
    const until = Date.now() + 3000
    await nodes.withStore(async ({ subscriptions }) => {
      const { revision } = (await subscriptions.find(id))!
      expect(await subscriptions.change(id, revision, { paidUntil: until, renews: false })).toBe(true)
    })
    await isOver(await hold(byKey(nodes.there, key.token, owner.secret)))
    expect(Date.now()).toBeGreaterThanOrEqual(until)
  })

  test('deleting an account ends all its requests', async () => {
    const { client, email } = await nodes.subscriber()
    const kept = await keep(client)
    const { token } = (await (await client.send('POST', KEYS, { label: 'Tests' })).json()) as { token: string }
    const stranger = await createAddress(nodes.here.url)
    const phone = await device(email, kept.id)
    const held = [
      await hold(byCookie(phone)),
      await hold(byCookie(phone), '/api/v1/account/events'),
      await hold(byKey(nodes.there, token, stranger.secret)),
    ]
    expect((await client.send('DELETE', '/api/v1/account', { email })).status).toBe(204)
    await Promise.all(held.map(isOver))
    expect(await answerOf(byKey(nodes.there, token, stranger.secret)('/api/v1/domains'))).toEqual([401, 'key_invalid'])
  })

  test('deleting or replacing an address ends its open requests', async () => {
    const deleted = await createAddress(nodes.here.url)
    const first = await hold(bySecret(nodes.there, deleted.secret))
    await deleted.send('DELETE', '/api/v1/address')
    await isOver(first)
    const browser = siteClient(nodes.here)
    await browser.send('POST', '/api/v1/addresses', {})
    const second = await hold(byCookie(nodes.at(nodes.there, browser)))
    expect((await browser.send('POST', '/api/v1/addresses', { replace: true })).status).toBe(201)
    await isOver(second)
  })

  test('a replaced secret opens nothing, at once and on every node; the new one opens everything', async () => {
    const owner = await createAddress(nodes.here.url)
    await sendMail(nodes.there.smtpPort, { to: owner.address, subject: 'before', text: 'Your code is 482913' })
    await expect.poll(async () => (await owner.json('/api/v1/messages')).messages).toMatchObject([{ code: '482913' }])
    const held = await hold(bySecret(nodes.there, owner.secret))
    const answer = await owner.send('POST', '/api/v1/address/secret')
    expect(answer.status).toBe(200)
    const { secret, address } = (await answer.json()) as { secret: string; address: string }
    expect(address).toBe(owner.address)
    for (const { url } of [nodes.there, nodes.here]) {
      for (const [method, path] of [
        ['GET', '/api/v1/address'],
        ['GET', '/api/v1/messages'],
        ['GET', EVENTS],
        ['POST', '/api/v1/address/secret'],
        ['DELETE', '/api/v1/address'],
      ] as const)
        expect(await answerOf(call(url, method, path, undefined, owner.secret)), path).toEqual([401, 'unauthorized'])
    }
    await isOver(held)
    const renewed = clientOf(nodes.there.url, address, secret)
    await sendMail(nodes.here.smtpPort, { to: owner.address, subject: 'after', text: 'Your code is 175364' })
    await expect
      .poll(async () => (await renewed.json('/api/v1/messages')).messages)
      .toMatchObject([
        { subject: 'after', code: '175364' },
        { subject: 'before', code: '482913' },
      ])
    const { messages } = await renewed.json('/api/v1/messages')
    for (const { id, subject } of messages)
      expect(await (await renewed.get(`/api/v1/messages/${id}/raw`)).text()).toContain(`Subject: ${subject}`)
  })

  test('an adopted address gets a new secret, and open requests with the old one end', async () => {
    const { client } = await nodes.subscriber()
    const before = await createAddress(nodes.here.url)
    await sendMail(nodes.here.smtpPort, { to: before.address, subject: 'before', text: 'hello' })
    await client.send('POST', '/api/v1/session', { secret: before.secret })
    const held = await hold(bySecret(nodes.there, before.secret))
    const kept = await keep(client, { adopt: true })
    expect(kept.address).toBe(before.address)
    await isOver(held)
    expect(await answerOf(bySecret(nodes.there, before.secret)('/api/v1/address'))).toEqual([401, 'unauthorized'])
    expect((await client.json('/api/v1/messages')).messages).toMatchObject([{ subject: 'before' }])
    expect(await list(client)).toMatchObject([{ id: kept.id, address: before.address, unread: 1 }])
  })
})
