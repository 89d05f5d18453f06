import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SealedMessageJson } from '#contract/private-addresses.ts'
import { newSecret } from '#core/mailbox/secret.ts'
import { unpackBody } from '#mail/sealing/body.ts'
import { deriveKeys } from '#mail/sealing/keys.ts'
import { createOpener } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { answerOf } from '#test/support/codes.ts'
import { keep, list, send, subscriber } from '#test/support/fixtures/kept-client.ts'
import { type SiteClient, siteClient } from '#test/support/fixtures/subscriber.ts'
import { clientOf } from '#test/support/program/api.ts'
import { EventReader } from '#test/support/program/event-stream.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const seal = createSeal()

const OCTETS = { 'content-type': 'application/octet-stream' }
const MAX_BYTES = 4096
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

let program: Program
let ann: SiteClient
beforeAll(async () => {
  program = await startProgram({
    env: {
      ...WITHOUT_LIMITS,
      MAYFLY_SIGN_IN_BURST: '1000',
      MAYFLY_STREAM_KEEPALIVE_SECONDS: '300',
      MAYFLY_PRIVATE_REQUEST_MAX_BYTES: String(MAX_BYTES),
    },
  })
  ann = (await subscriber(program)).client
})
afterAll(() => program.stop())

/** Acts as a browser: generates and keeps a secret, and requests an address. */
async function make(client: SiteClient, request: object = {}) {
  const secret = newSecret()
  const keys = deriveKeys(secret)!
  const response = await client.send('POST', '/api/v1/account/private-addresses', {
    id: keys.id,
    publicKey: base64url(keys.publicKey),
    ...request,
  })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  const { address } = (await response.json()) as { address: string }
  return { secret, keys, address, path: `/api/v1/account/private/${keys.id}` }
}
type Made = Awaited<ReturnType<typeof make>>

const { open } = createOpener(0)
const placeOf = (kind: 'body' | 'summary', { keys }: Made, id: string) => messagePlace(kind, { addressId: keys.id, id })

const messages = async (client: SiteClient, { path }: Made): Promise<SealedMessageJson[]> =>
  (await client.json(`${path}/messages`)).messages

/** The messages of an address once there are this many, each with what the server knows about it. */
function arrived(client: SiteClient, made: Made, count = 1): Promise<SealedMessageJson[]> {
  return vi.waitFor(async () => {
    const there = (await messages(client, made)).filter(({ summary }) => summary !== null)
    expect(there).toHaveLength(count)
    return there
  }, PATIENCE)
}

describe('a fully private address over HTTP', () => {
  let made: Made
  let id: string
  beforeAll(async () => {
    made = await make(ann, { login: 'over.http', label: 'Bank' })
    await send(program, made.address, 'sealed')
    const [message] = await arrived(ann, made)
    id = message!.id
  })

  test('is on the list of the subscriber', async () =>
    expect(await list(ann)).toMatchObject([
      { id: made.keys.id, address: 'over.http@mayfly.test', label: 'Bank', private: true, unread: 1, alive: true },
    ]))

  test('returns its messages sealed, as they are stored', async () => {
    const response = await ann.send('GET', `${made.path}/messages/${id}/body`)
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    const sealed = new Uint8Array(await response.arrayBuffer())
    expect(Buffer.from(sealed).includes('sealed')).toBe(false)
    expect(Buffer.from(unpackBody(open(made.keys, placeOf('body', made, id), sealed)).raw).toString()).toContain(
      'Subject: sealed',
    )
  })

  test('stores a summary that only the browser can open, if it is complete and well-formed', async () => {
    const path = `${made.path}/messages/${id}/summary`
    const sealed = new Uint8Array(
      seal(made.keys.publicKey, placeOf('summary', made, id), Buffer.from('{"subject":"sealed"}')),
    )
    expect((await ann.send('PUT', path, sealed, OCTETS)).status).toBe(204)
    expect((await messages(ann, made))[0]?.summary).toBe(base64url(sealed))
    const put = (body: object | undefined, headers = OCTETS) => answerOf(ann.send('PUT', path, body, headers))
    expect(await put(sealed.slice(0, 50))).toEqual([422, 'summary_invalid'])
    expect(await put(undefined)).toEqual([422, 'summary_invalid'])
    expect(await put({ 0: 1, length: 100 }, { 'content-type': 'application/json' })).toEqual([
      415,
      'unsupported_media_type',
    ])
    const large = new Uint8Array(MAX_BYTES + 1).fill(2)
    expect(await put(large.slice(1))).toEqual([204, ''])
    expect(await put(large)).toEqual([413, 'payload_too_large'])
    expect((await ann.send('PUT', path, sealed, OCTETS)).status).toBe(204)
  })

  test('marks and deletes', async () => {
    await send(program, made.address, 'soon gone')
    const [newest] = await arrived(ann, made, 2)
    const path = `${made.path}/messages/${newest!.id}`
    expect((await ann.send('PATCH', path, { seen: true })).status).toBe(204)
    expect((await messages(ann, made)).map(({ seen }) => seen)).toEqual([true, false])
    expect((await ann.send('DELETE', path)).status).toBe(204)
    expect(await messages(ann, made)).toHaveLength(1)
    expect(await answerOf(ann.send('DELETE', path))).toEqual([404, 'message_not_found'])
    expect(await answerOf(ann.send('GET', `${path}/body`))).toEqual([404, 'message_not_found'])
  })

  test('signs URLs of images for the proxy', async () => {
    const remote = (urls: unknown) => ann.send('POST', '/api/v1/account/private/remote', { urls })
    const given = ['https://a.example/1.png', 'javascript:alert(1)', 'http://b.example/']
    const { urls } = (await (await remote(given)).json()) as { urls: (string | null)[] }
    expect(urls).toEqual([expect.stringMatching(/^\/proxy\?u=/), null, expect.stringMatching(/^\/proxy\?u=/)])
    // The host does not exist, so the fetch fails.
    expect((await fetch(program.url + urls[0])).status).toBe(502)
    expect(await answerOf(remote(Array(201).fill('http://a.example/')))).toEqual([400, 'invalid_request'])
    expect(await answerOf(remote('http://a.example/'))).toEqual([400, 'invalid_request'])
    expect(await answerOf(remote(['x'.repeat(MAX_BYTES)]))).toEqual([413, 'payload_too_large'])
  })

  test('is open to no other client, and only to pages of the site', async () => {
    const calls: [string, string, object?][] = [
      ['GET', `${made.path}/messages`],
      ['GET', `${made.path}/messages/${id}/body`],
      ['PUT', `${made.path}/messages/${id}/summary`, new Uint8Array(100).fill(1)],
      ['PATCH', `${made.path}/messages/${id}`, { seen: true }],
      ['DELETE', `${made.path}/messages/${id}`],
      ['GET', `${made.path}/events`],
    ]
    const bob = (await subscriber(program)).client
    const stranger = siteClient(program)
    for (const [method, path, body] of calls) {
      const headers: Record<string, string> = method === 'PUT' ? OCTETS : {}
      expect(await answerOf(bob.send(method, path, body, headers)), path).toEqual([404, 'not_found'])
      expect(await answerOf(stranger.send(method, path, body, headers)), path).toEqual([401, 'not_signed_in'])
      if (method === 'GET') continue
      const elsewhere = { ...headers, origin: 'https://evil.example' }
      expect(await answerOf(ann.send(method, path, body, elsewhere)), path).toEqual([403, 'forbidden_origin'])
    }
    expect(await messages(ann, made)).toHaveLength(1)
  })

  test("can't be opened by the server, even with its secret", async () => {
    const api = clientOf(program.url, made.address, made.secret)
    for (const path of ['/api/v1/address', '/api/v1/messages', '/api/v1/events'])
      expect(await answerOf(api.get(path))).toEqual([401, 'unauthorized'])
    expect(await answerOf(ann.send('POST', '/api/v1/session', { secret: made.secret }))).toEqual([401, 'unauthorized'])
  })
})

test('the stream sends new, changed and deleted messages, and misses nothing', async () => {
  const made = await make(ann)
  const follow = async (lastEventId?: number) =>
    new EventReader(
      await ann.send('GET', `${made.path}/events${lastEventId === undefined ? '' : `?lastEventId=${lastEventId}`}`),
    )
  const stream = await follow()
  await expect.poll(() => stream.of('address')).toMatchObject([{ id: made.keys.id, private: true }])
  await send(program, made.address, 'first')
  await expect.poll(() => stream.of('message').at(-1)?.summary).toEqual(expect.any(String))
  const { id, summary } = stream.of('message').at(-1) as SealedMessageJson
  const known = open(made.keys, placeOf('summary', made, id), Buffer.from(summary!, 'base64url'))
  expect(Object.keys(JSON.parse(Buffer.from(known).toString()) as object)).toEqual(['origin', 'authentication'])
  const seen = stream.lastId
  stream.close()

  await ann.send('PATCH', `${made.path}/messages/${id}`, { seen: true })
  const second = await follow(seen)
  await expect.poll(() => second.of('message').map((message) => message.seen)).toEqual([true])
  await ann.send('DELETE', `${made.path}/messages/${id}`)
  await expect.poll(() => second.of('deleted')).toEqual([{ id }])
  await ann.send('DELETE', `/api/v1/account/addresses/${made.keys.id}`)
  await expect.poll(() => second.ended).toBe(true)
  await expect(follow(seen)).rejects.toThrow('404')
})

test('the stream ends when its browser is signed out', async () => {
  const { client } = await subscriber(program)
  const made = await make(client)
  const stream = new EventReader(await client.send('GET', `${made.path}/events`))
  await expect.poll(() => stream.of('address')).toHaveLength(1)
  const path = `${made.path}/messages`
  expect((await client.send('GET', path)).status).toBe(200)
  await client.send('DELETE', '/api/v1/account/session')
  await send(program, made.address, 'after that')
  await expect.poll(() => stream.ended).toBe(true)
  expect(stream.of('message')).toEqual([])
})

describe('its page', () => {
  test('has the name of the address, and nothing of its messages', async () => {
    const made = await make(ann)
    await send(program, made.address, 'canary on the page')
    await arrived(ann, made)
    const { data } = await ann.json(`/private/_payload.json?address=${made.keys.id}`)
    expect(data).toEqual({
      address: { id: made.keys.id, address: made.address, label: null, alive: true, revision: expect.any(Number) },
      domains: [
        { name: 'mayfly.test', tier: 'free' },
        { name: 'dayfly.test', tier: 'free' },
        { name: 'vip.mayfly.test', tier: 'premium' },
      ],
      own: [],
    })
    const html = await (await ann.send('GET', `/en/private?address=${made.keys.id}`)).text()
    expect(html).toContain(made.address)
    expect(html).not.toContain('canary on the page')
    expect(html).toContain('<meta name="robots" content="noindex">')
  })

  test('is not shown to others', async () => {
    const made = await make(ann)
    const ordinary = await keep(ann)
    const bob = (await subscriber(program)).client
    const status = async (client: SiteClient, id: string) =>
      (await client.send('GET', `/en/private?address=${id}`)).status
    expect(await status(ann, made.keys.id)).toBe(200)
    expect(await status(bob, made.keys.id)).toBe(404)
    expect(await status(ann, ordinary.id)).toBe(404)
    const { data, site } = await siteClient(program).json(`/private/_payload.json?address=${made.keys.id}`)
    expect([data.address, site.account]).toEqual([null, null])
  })
})
