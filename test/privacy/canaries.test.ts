import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawClient } from '#smtp/testing.ts'
import { formsOf, ByteSearch } from '#test/support/fixtures/byte-search.ts'
import { Canaries } from '#test/support/fixtures/canaries.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

/** Messages; each has ten canaries. */
const MAILS = 40
const OWNERS = 5
/** Larger than a message to a free address, in bytes. */
const TOO_LARGE = 11 * 1024 * 1024

let program: Program
const owners: ApiClient[] = []
const canaries = new Canaries()

beforeAll(async () => {
  program = await startProgram({
    env: { MAYFLY_API_REQUESTS_PER_SECOND: '1000000', MAYFLY_ADDRESS_CREATE_BURST: '1000' },
  })
  while (owners.length < OWNERS) owners.push(await createAddress(program.url))
})

afterAll(async () => {
  await program.stop()
})

async function summariesOf(owner: ApiClient): Promise<any[]> {
  const all: any[] = []
  for (let query = ''; ;) {
    const page = await owner.json(`/api/v1/messages${query}`)
    all.push(...page.messages)
    if (page.next === null) return all
    query = `?before=${page.next}`
  }
}

/** A sending server that is refused, because its message is too large. Its name and its domain become canaries. */
async function attemptAt(address: string): Promise<string> {
  const domain = `q${randomBytes(10).toString('hex')}.example`
  canaries.plant(`server refused at ${address}`, domain)
  const client = await RawClient.connect(program.smtpPort)
  await client.ask(`EHLO mail.${domain}`)
  await client.ask(`MAIL FROM:<a@${domain}> SIZE=${TOO_LARGE}`)
  expect(await client.ask(`RCPT TO:<${address}>`)).toMatch(/^552/)
  client.close()
  return domain
}

/** Returns all canaries that are readable in the data directory or the program's output. */
async function leaks(): Promise<string[]> {
  const search = canaries.search()
  const printed = search.in(Buffer.from([...program.stdout, ...program.stderr].join('\n')))
  return [...(await search.inFiles(program.dataDir)), ...[...printed].map((name) => `${name} in the log`)]
}

/** Every sealed value in the database, in hexadecimal, from every column of every table that has bytes. */
function sealedValues(): Set<string> {
  const found = new Set<string>()
  for (const file of readdirSync(program.dataDir)) {
    const path = join(program.dataDir, file)
    if (!readFileSync(path).subarray(0, 15).equals(Buffer.from('SQLite format 3'))) continue
    const database = new DatabaseSync(path, { readOnly: true })
    for (const { name } of database.prepare(`select name from sqlite_master where type = 'table'`).all()) {
      for (const row of database.prepare(`select * from "${String(name)}"`).iterate()) {
        for (const value of Object.values(row)) {
          if (value instanceof Uint8Array && value.length > 40) found.add(Buffer.from(value).toString('hex'))
        }
      }
    }
    database.close()
  }
  return found
}

/** Pieces of sealed values. A value may be split over several pages of the file, so each value has several pieces. */
function searchForSealed(values: Iterable<string>): ByteSearch {
  const search = new ByteSearch()
  for (const value of values) {
    const bytes = Buffer.from(value, 'hex')
    for (const part of [0.2, 0.35, 0.5, 0.65, 0.8]) {
      const at = Math.floor(bytes.length * part)
      search.add(value.slice(-16), bytes.subarray(at, at + 8))
    }
  }
  return search
}

/** Returns which of these sealed values have pieces in a file: the end of the value, and the file. */
const findsOf = (values: Iterable<string>): Promise<string[]> => searchForSealed(values).inFiles(program.dataDir)

test('control: finds every form of every canary where it was planted', async () => {
  canaries.plant('control', 'Zoë=control canary')
  const path = join(program.dataDir, 'planted')
  for (const form of formsOf('Zoë=control canary')) {
    writeFileSync(path, Buffer.concat([randomBytes(100), form, randomBytes(100)]))
    expect(await leaks()).toEqual(['control in planted'])
  }
  const text = Buffer.from('x Zoë=control canary').toString('base64')
  writeFileSync(path, text)
  expect(await leaks()).toEqual(['control in planted'])
  rmSync(path)
  expect(await leaks()).toEqual([])
})

test('no content of a message is readable in the data directory on arrival, after reading and after deletion', async () => {
  for (const { address, secret } of owners) {
    canaries.plant(`address ${address}`, address)
    canaries.plant(`login ${address}`, address.replace(/@.*/, ''))
    canaries.plant(`secret of ${address}`, secret)
  }
  for (let i = 0; i < MAILS; i++) {
    await sendMail(program.smtpPort, canaries.mail(i, owners[i % OWNERS]?.address ?? ''))
  }
  for (const owner of owners) {
    const senderDomain = await attemptAt(owner.address)
    await expect
      .poll(async () => (await owner.json('/api/v1/deliveries')).deliveries)
      .toContainEqual(expect.objectContaining({ result: 'too-large', senderDomain }))
  }
  expect(canaries.size).toBeGreaterThanOrEqual(10 * MAILS)
  expect(await leaks()).toEqual([])
  const arrived = sealedValues()

  // The canaries are in the summaries and bodies that the owner reads.
  const ids = new Map<ApiClient, string[]>()
  for (const owner of owners) {
    const summaries = await summariesOf(owner)
    ids.set(
      owner,
      summaries.map(({ id }) => id),
    )
    expect(summaries).toHaveLength(MAILS / OWNERS)
    for (const { id, subject, code, attachments } of summaries) {
      expect(canaries.subjects).toContain(subject)
      expect(canaries.codes).toContain(code)
      expect(attachments[0].filename).toMatch(/^q\w{20}\.txt$/)
      expect((await owner.json(`/api/v1/messages/${id}`)).text).toContain(code)
      expect(await (await owner.get(`/api/v1/messages/${id}/attachments/0`)).text()).toMatch(/^q\w{20}$/)
      expect((await owner.get(`/api/v1/messages/${id}/raw`)).status).toBe(200)
      expect((await owner.send('PATCH', `/api/v1/messages/${id}`, { seen: true })).status).toBe(200)
    }
  }
  expect(await leaks()).toEqual([])
  const read = sealedValues()
  expect(read.size).toBeGreaterThanOrEqual(2 * MAILS)
  expect(new Set((await findsOf(read)).map((find) => find.slice(0, 16))).size).toBe(read.size)

  // Deletes one message of each address, then the addresses with the other messages.
  const before = new Set([...arrived, ...read])
  for (const step of ['messages', 'addresses']) {
    for (const [owner, [id]] of ids) {
      const path = step === 'messages' ? `/api/v1/messages/${id}` : '/api/v1/address'
      expect((await owner.send('DELETE', path)).status).toBe(204)
    }
    const gone = before.difference(sealedValues())
    expect(gone.size).toBeGreaterThanOrEqual(2 * (step === 'messages' ? OWNERS : MAILS))
    // These include summaries that were replaced. They disappear with the next checkpoint, half a minute after the last
    // write.
    await expect.poll(() => findsOf(gone), { message: `sealed bytes after deleting ${step}` }).toEqual([])
    expect(await leaks()).toEqual([])
  }
})
