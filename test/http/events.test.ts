import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { type ApiClient, clientOf, createAddress } from '#test/support/program/api.ts'
import { EventReader } from '#test/support/program/event-stream.ts'
import { type Program, startProgram, WITHOUT_LIMITS, warningsOf } from '#test/support/program/program.ts'

let program: Program
beforeAll(async () => {
  program = await startProgram({
    env: {
      ...WITHOUT_LIMITS,
      MAYFLY_STREAM_KEEPALIVE_SECONDS: '1',
      MAYFLY_STREAMS_PER_IP_MAX: '4',
    },
  })
})
afterAll(() => program.stop())

/** Opens an event stream of an address. */
const Stream = {
  async open(client: ApiClient, lastEventId?: number | string): Promise<EventReader> {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }
    return new EventReader(await client.get('/api/v1/events', headers))
  },
}

const send = (to: string, subject: string) => sendMail(program.smtpPort, { to, subject, text: subject })
const subjects = (stream: EventReader) => [...new Set(stream.of('message').map(({ subject }) => subject))]

test('a change without a notification is sent with the next keep-alive', async () => {
  const owner = await createAddress(program.url)
  const stream = await Stream.open(owner)
  // A second process on the same data stores the message. Its notification does not reach the first one.
  const other = await startProgram({ dataDir: program.dataDir })
  const warning = expect.stringMatching(/^Another service uses the directory of MAYFLY_DATA_DIR\. /)
  expect(warningsOf(other)).toContainEqual(warning)
  await expect.poll(() => other.stdout.at(-1)).toMatch(/^Warning: Another service uses /)
  expect(warningsOf(program)).not.toContainEqual(warning)
  // The first keep-alive reads everything, the later ones only if the address has changed.
  await expect.poll(() => stream.comments).toBeGreaterThan(1)
  await sendMail(other.smtpPort, { to: owner.address, subject: 'from elsewhere', text: 'hello' })
  await expect.poll(() => stream.of('message').map(({ subject }) => subject)).toContain('from elsewhere')
  const [{ id }] = stream.of('message')
  const { comments } = stream
  await expect.poll(() => stream.comments).toBeGreaterThan(comments + 1)
  await clientOf(other.url, owner.address, owner.secret).send('DELETE', `/api/v1/messages/${id}`)
  await expect.poll(() => stream.of('deleted')).toEqual([{ id }])
  stream.close()
  expect(await other.stop()).toBe(0)
})

describe('the event stream', () => {
  test('sends messages, deletions and changes of the address', async () => {
    const owner = await createAddress(program.url)
    const stream = await Stream.open(owner)
    await expect.poll(() => stream.of('address').length).toBe(1)
    await send(owner.address, 'hello')
    await expect.poll(() => subjects(stream)).toEqual(['hello'])
    const [{ id }] = stream.of('message')
    await owner.send('PATCH', `/api/v1/messages/${id}`, { seen: true })
    await expect.poll(() => stream.of('message').at(-1).seen).toBe(true)
    await owner.send('DELETE', `/api/v1/messages/${id}`)
    await expect.poll(() => stream.of('deleted')).toEqual([{ id }])
    await expect.poll(() => stream.of('address').at(-1).storage.usedBytes).toBe(0)
    const ids = stream.events.map((event) => event.id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    stream.close()
  })

  test('misses nothing over reconnects, and repeats nothing within one', async () => {
    const owner = await createAddress(program.url)
    const seen = new Set<string>()
    let lastId = 0
    for (let round = 0; round < 5; round++) {
      const stream = await Stream.open(owner, lastId)
      await Promise.all([send(owner.address, `during ${round}`), send(owner.address, `also during ${round}`)])
      await expect.poll(() => stream.of('message').length).toBeGreaterThan(0)
      for (const subject of subjects(stream)) seen.add(subject)
      lastId = stream.lastId
      stream.close()
      await send(owner.address, `between ${round}`)
    }
    const last = await Stream.open(owner, lastId)
    await expect.poll(() => [...seen, ...subjects(last)].includes('between 4')).toBe(true)
    await expect.poll(() => new Set([...seen, ...subjects(last)]).size).toBe(15)
    last.close()
  })

  test('sends deletions to a client that reconnects', async () => {
    const owner = await createAddress(program.url)
    await send(owner.address, 'short-lived')
    const { messages } = await owner.json('/api/v1/messages')
    const stream = await Stream.open(owner)
    await expect.poll(() => stream.lastId).toBeGreaterThan(0)
    stream.close()
    await owner.send('DELETE', `/api/v1/messages/${messages[0].id}`)
    const again = await Stream.open(owner, stream.lastId)
    await expect.poll(() => again.of('deleted')).toEqual([{ id: messages[0].id }])
    again.close()
  })

  test.each(['x', '-1', '9'.repeat(40), '', '999999', '1e3', '0x1'])('ignores the Last-Event-ID %j', async (id) => {
    const owner = await createAddress(program.url)
    const stream = await Stream.open(owner, id)
    await send(owner.address, 'still sent')
    await expect.poll(() => subjects(stream)).toEqual(['still sent'])
    stream.close()
  })

  test('sends the same summary as the list, and misses no message at a reconnect', async () => {
    const owner = await createAddress(program.url)
    const first = await Stream.open(owner)
    await expect.poll(() => first.of('address').length).toBe(1)
    first.close()
    await Promise.all([send(owner.address, 'one'), send(owner.address, 'other')])
    const stream = await Stream.open(owner, first.lastId)
    await expect.poll(() => subjects(stream).toSorted()).toEqual(['one', 'other'])
    await expect
      .poll(async () => {
        const { messages } = await owner.json('/api/v1/messages')
        return messages.every((summary: any) => stream.of('message').some((each) => isDeepStrictEqual(each, summary)))
      })
      .toBe(true)
    const sent = stream.events.filter(({ event }) => event === 'message')
    stream.close()
    // Wherever the connection breaks, a reader that reconnects misses nothing.
    for (const [i, { id }] of sent.entries()) {
      const again = await Stream.open(owner, id)
      await expect.poll(() => again.of('address').length).toBe(1)
      const before = sent.slice(0, i + 1).map(({ data }) => data.subject)
      expect([...new Set([...before, ...subjects(again)])].toSorted()).toEqual(['one', 'other'])
      again.close()
    }
  })

  test('starts at the id in the query, but the header takes precedence', async () => {
    const owner = await createAddress(program.url)
    await send(owner.address, 'early')
    await owner.json('/api/v1/messages?wait=5')
    const at = (query: string, headers = {}) =>
      fetch(`${program.url}/api/v1/events${query}`, {
        headers: { authorization: `Bearer ${owner.secret}`, ...headers },
        signal: AbortSignal.timeout(5000),
      })
    const reads = async (response: Response, text: string) => {
      let all = ''
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        all += chunk
        if (all.includes('event: address')) break
      }
      return all.includes(text)
    }
    expect(await reads(await at('?lastEventId=0'), 'early')).toBe(true)
    const stream = await Stream.open(owner, 0)
    await expect.poll(() => stream.of('address').length).toBeGreaterThan(0)
    const settled = async () => {
      const id = stream.lastId
      return !(await reads(await at('?lastEventId=0', { 'last-event-id': String(id) }), 'early'))
    }
    await expect.poll(settled).toBe(true)
    stream.close()
  })

  test('sends comments while nothing happens', async () => {
    const owner = await createAddress(program.url)
    const stream = await Stream.open(owner)
    await expect.poll(() => stream.comments).toBeGreaterThanOrEqual(2)
    stream.close()
  })

  test('ends with its address, and 204 prevents reconnects', async () => {
    const owner = await createAddress(program.url)
    const stream = await Stream.open(owner)
    await owner.send('DELETE', '/api/v1/address')
    await expect.poll(() => stream.ended).toBe(true)
    await expect(Stream.open(owner, 1)).rejects.toThrow('204')
    await expect(Stream.open(owner)).rejects.toThrow('401')
  })

  test('one client may open four, not five', async () => {
    const owner = await createAddress(program.url)
    const streams: EventReader[] = []
    await expect
      .poll(async () => {
        try {
          streams.push(await Stream.open(owner))
          return 200
        } catch (error) {
          return Number((error as Error).message)
        }
      })
      .toBe(429)
    expect(streams.length).toBeLessThanOrEqual(4)
    streams[0]?.close()
    await expect
      .poll(() =>
        Stream.open(owner).then(
          (stream) => streams.push(stream) > 0,
          () => false,
        ),
      )
      .toBe(true)
    for (const stream of streams) stream.close()
  })
})
