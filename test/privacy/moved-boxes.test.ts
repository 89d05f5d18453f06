import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { packBody } from '#mail/sealing/body.ts'
import { unboundBox } from '#test/support/fixtures/unbound-box.ts'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { type ApiClient, clientOf, createAddress } from '#test/support/program/api.ts'
import { USER_AGENT } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

/*
 * An attacker who can write the database, but has no secret, moves sealed boxes while the service is stopped.
 */

let dataDir: string
let program: Program
let owner: ApiClient
let other: ApiClient
let ids: Record<string, string>

const start = () => startProgram({ env: WITHOUT_LIMITS, dataDir })
const summaries = async (client: ApiClient): Promise<{ id: string; subject: string; unreadable: boolean }[]> =>
  (await client.json('/api/v1/messages')).messages
const arrived = (client: ApiClient, count: number) =>
  vi.waitFor(async () => expect(await summaries(client)).toHaveLength(count), PATIENCE)

async function deliver(client: ApiClient, subject: string): Promise<void> {
  const before = (await summaries(client)).length
  await sendMail(program.smtpPort, { ...verificationMail(client.address), subject })
  await arrived(client, before + 1)
}

/** Stops the service, changes its database, and starts it again. */
async function meanwhile(change: (database: DatabaseSync) => void): Promise<void> {
  await program.stop()
  const database = new DatabaseSync(join(dataDir, 'mayfly.db'))
  change(database)
  database.close()
  program = await start()
  owner = clientOf(program.url, owner.address, owner.secret)
  other = clientOf(program.url, other.address, other.secret)
}

/** Returns status and code, or the subject, of the API's response for a message. */
async function read(client: ApiClient, subject: string): Promise<unknown[]> {
  const response = await client.get(`/api/v1/messages/${ids[subject]}`)
  const body = (await response.json()) as { code?: string; subject: string; text: string }
  return response.ok ? [200, body.subject, body.text.includes('482913')] : [response.status, body.code]
}

const SUBJECTS = [
  'untouched',
  'body of b',
  'body of a',
  'summary moved',
  'kind swapped',
  'both swapped',
  'to another',
  'old',
]

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-moved-'))
  program = await start()
  owner = await createAddress(program.url)
  other = await createAddress(program.url)
  for (const subject of SUBJECTS) {
    await deliver(owner, subject)
  }
  await deliver(other, 'of the other')
  ids = Object.fromEntries(
    [...(await summaries(owner)), ...(await summaries(other))].map((each) => [each.subject, each.id]),
  )
})
afterAll(async () => {
  await program.stop()
  await rm(dataDir, { recursive: true, force: true })
})

describe('moved boxes', () => {
  beforeAll(() =>
    meanwhile((database) => {
      const bodyOf = (subject: string) =>
        database.prepare('select sealed_body as box from bodies where id = ?').get(ids[subject]!)!.box as Uint8Array
      const summaryOf = (subject: string) =>
        database.prepare('select sealed_summary as box from messages where id = ?').get(ids[subject]!)!
          .box as Uint8Array
      const setBody = (subject: string, box: Uint8Array) =>
        expect(database.prepare('update bodies set sealed_body = ? where id = ?').run(box, ids[subject]!).changes).toBe(
          1,
        )
      const setSummary = (subject: string, box: Uint8Array) =>
        expect(
          database.prepare('update messages set sealed_summary = ? where id = ?').run(box, ids[subject]!).changes,
        ).toBe(1)
      const [a, b] = [bodyOf('body of b'), bodyOf('body of a')]
      setBody('body of b', b)
      setBody('body of a', a)
      setSummary('summary moved', summaryOf('untouched'))
      setSummary('kind swapped', bodyOf('kind swapped'))
      setSummary('both swapped', summaryOf('untouched'))
      setBody('both swapped', summaryOf('both swapped'))
      const [to] = database.prepare('select address_id as id from messages where id = ?').all(ids['of the other']!)
      for (const table of ['messages', 'bodies'])
        database.prepare(`update ${table} set address_id = ? where id = ?`).run(to!.id!, ids['to another']!)
      // A box of the previous version. It is valid only in a database that is older than bound boxes.
      const { key } = database
        .prepare('select public_key as key from addresses where id = (select address_id from bodies where id = ?)')
        .get(ids.old!)!
      const envelope = {
        mailFrom: '',
        recipient: owner.address,
        helo: '',
        clientAddress: '',
        tls: false,
        receivedAt: 0,
      }
      const raw = Buffer.from('Subject: old\r\n\r\nYour verification code is 482913\r\n')
      setBody('old', unboundBox(key as Uint8Array, packBody(envelope, raw)))
    }),
  )

  test.each(['body of a', 'body of b', 'both swapped', 'old'])('%s: is refused', async (subject) => {
    expect(await read(owner, subject)).toEqual([422, 'message_damaged'])
    expect((await owner.get(`/api/v1/messages/${ids[subject]}/raw`)).status).toBe(422)
  })

  test.each(['untouched', 'summary moved', 'kind swapped'])('%s: opens, with its own summary', async (subject) =>
    expect(await read(owner, subject)).toEqual([200, subject, true]),
  )

  test('refuses a message that was copied to another address', async () => {
    expect(await read(other, 'to another')).toEqual([422, 'message_damaged'])
    expect(await read(other, 'of the other')).toEqual([200, 'of the other', true])
    expect(await summaries(other)).toMatchObject([
      { subject: 'of the other', unreadable: false },
      { subject: '', unreadable: true },
    ])
  })

  test('the inbox lists all messages and receives new ones', async () => {
    await deliver(owner, 'new')
    const list = await summaries(owner)
    const readable = ['new', 'old', 'kind swapped', 'summary moved', 'body of a', 'body of b', 'untouched']
    expect(list.filter(({ unreadable }) => !unreadable).map(({ subject }) => subject)).toEqual(readable)
    expect(list.filter(({ unreadable }) => unreadable).map(({ id }) => id)).toEqual([ids['both swapped']])
  })

  test('the page says in the language of the visitor that the message is damaged, and shows the inbox', async () => {
    const page = async (path: string) => {
      const response = await fetch(program.url + path, {
        headers: { cookie: `mayfly_secret=${owner.secret}`, 'user-agent': USER_AGENT },
      })
      return [response.status, await response.text()] as const
    }
    const [status, html] = await page(`/de?message=${ids['body of a']}`)
    expect(status).toBe(422)
    expect(html).toContain('Diese E-Mail ist beschädigt')
    const [ok, inbox] = await page('/de')
    expect(ok).toBe(200)
    expect(inbox).toContain('untouched')
  })

  test('a damaged message can be deleted', async () => {
    expect((await owner.send('DELETE', `/api/v1/messages/${ids['both swapped']}`)).status).toBe(204)
  })
})

test('opens messages from before the update as long as they are in a message of that time', async () => {
  await meanwhile((database) => {
    // The state that migration 009 leaves if it runs after these messages arrived.
    database.prepare(`update metadata set value = ? where name = 'bound from'`).run(String(Date.now() + 1))
  })
  expect(await read(owner, 'old')).toEqual([200, 'old', true])
  expect(await read(owner, 'body of a')).toEqual([422, 'message_damaged'])
  await deliver(owner, 'after the update')
  const [newest] = await summaries(owner)
  await meanwhile((database) => {
    const { box } = database.prepare('select sealed_body as box from bodies where id = ?').get(ids.old!)!
    database.prepare('update bodies set sealed_body = ? where id = ?').run(box!, newest!.id)
  })
  ids.newest = newest!.id
  expect(await read(owner, 'newest')).toEqual([422, 'message_damaged'])
})

test('an address whose name is damaged is shown without it, with its mail, and can be exchanged for another', async () => {
  await deliver(owner, 'before')
  await meanwhile((database) => {
    database.prepare('update addresses set sealed_name = zeroblob(80)').run()
  })
  expect((await owner.json('/api/v1/address')).address).toBe('')
  expect((await summaries(owner))[0]).toMatchObject({ subject: 'before' })
  const visit = { cookie: `mayfly_secret=${owner.secret}`, 'user-agent': USER_AGENT, origin: program.url }
  for (const path of ['/', '/change', '/forwarding'])
    expect((await fetch(program.url + path, { headers: visit })).status, path).toBe(200)
  const forwarding = await owner.send('POST', '/api/v1/forwardings', { destination: 'reader@real.example' })
  expect([forwarding.status, await forwarding.json()]).toMatchObject([422, { code: 'address_invalid' }])
  const create = { method: 'POST', headers: visit, body: new URLSearchParams({ lang: 'en' }) }
  const created = await fetch(`${program.url}/actions/create`, { ...create, redirect: 'manual' })
  expect([created.status, created.headers.get('location')]).toEqual([303, '/en'])
  expect((await owner.get('/api/v1/address')).status).toBe(401)
})
