import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { EventReader } from '#test/support/program/event-stream.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

const JSON_TYPES = { 'content-type': 'application/json', accept: 'application/json' }

let program: Program
let base: string
beforeAll(async () => {
  program = await startProgram({ env: { MAYFLY_COMPAT: 'mail.tm' } })
  base = `${program.url}/compat/mail.tm`
})
afterAll(() => program.stop())

async function account() {
  const address = `events.${crypto.randomUUID().slice(0, 8)}@mayfly.test`
  const post = async (path: string): Promise<any> => {
    const body = JSON.stringify({ address, password: 'correct horse' })
    return (await fetch(base + path, { method: 'POST', headers: JSON_TYPES, body })).json()
  }
  const { id } = await post('/accounts')
  const { token } = await post('/token')
  const authorization = `Bearer ${token}`
  const open: EventReader[] = []

  return {
    send: (subject: string) => sendMail(program.smtpPort, { to: address, subject, text: subject }),

    async follow({ query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {}) {
      const url = `${base}/.well-known/mercure?topic=/accounts/${id}${query}`
      const stream = new EventReader(await fetch(url, { headers: { authorization, ...headers } }))
      open.push(stream)
      const messages = () => stream.events.map(({ data }) => data).filter((data) => data['@type'] === 'Message')
      return {
        subjects: () => messages().map(({ subject }) => subject),
        messages,
        lastId: () => stream.events.at(-1)?.rawId ?? '',
      }
    },

    async mark(message: string, ...marks: boolean[]): Promise<void> {
      const headers = { ...JSON_TYPES, 'content-type': 'application/merge-patch+json', authorization }
      for (const seen of marks) {
        const answer = await fetch(`${base}/messages/${message}`, {
          method: 'PATCH',
          headers,
          body: JSON.stringify({ seen }),
        })
        expect(answer.status).toBe(200)
      }
    },

    close: () => open.forEach((stream) => stream.close()),
  }
}

test.each([
  ['the header', (id: string) => ({ headers: { 'last-event-id': id } })],
  ['the query parameter of Mercure', (id: string) => ({ query: `&lastEventID=${id}` })],
  ['the query parameter of browsers', (id: string) => ({ query: `&lastEventId=${id}` })],
])('a client that reconnects with %s hears only of new messages, and of those that were read', async (_, since) => {
  const own = await account()
  const first = await own.follow()
  for (const subject of ['one', 'two', 'three']) await own.send(subject)
  await expect.poll(() => first.subjects().toSorted()).toEqual(['one', 'three', 'two'])
  const [one, two] = ['one', 'two'].map((subject) => first.messages().find((each) => each.subject === subject).id)
  const lastId = first.lastId()
  own.close()
  // Another change of a message that is still unread, as by the check of its sender.
  await own.mark(one, true, false)
  await own.mark(two, true)
  await own.send('four')
  const again = await own.follow(since(lastId))
  await expect.poll(() => again.subjects()).toContain('four')
  await own.send('five')
  await expect.poll(() => again.subjects()).toContain('five')
  // The check of a sender can move a message to the end.
  expect(again.subjects().toSorted()).toEqual(['five', 'four', 'two'])
  await own.mark(one, true)
  await expect.poll(() => again.subjects().toSorted()).toEqual(['five', 'four', 'one', 'two'])
  own.close()
})

test('a client that reconnects before any event, or with an unknown id, misses nothing from then on', async () => {
  const own = await account()
  await own.send('before')
  for (const id of ['0', '999999', 'earliest', '1.5', '']) {
    const stream = await own.follow({ headers: { 'last-event-id': id } })
    await own.send(`after:${id}.`)
    await expect.poll(() => stream.subjects()).toContain(`after:${id}.`)
    if (id === '0') expect(stream.subjects()).toEqual(['before', 'after:0.'])
    own.close()
  }
})
