import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, createAddress } from './api.ts'
import { Ledger } from './load/ledger.ts'
import { runLoad } from './load/load.ts'
import { findLoadMail, loadMails } from './load/mail.ts'
import { startProgram } from './program.ts'

const KILLS = 20
const ADDRESSES = 5
const env = { MAYFLY_API_REQUESTS_PER_SECOND: '1000000', MAYFLY_ADDRESS_CREATE_BURST: '1000' }

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-crash-'))
})

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

/** Every message of an inbox as its owner gets it, with how often it is there. */
async function inboxOf(
  url: string,
  { address, secret }: ApiClient,
): Promise<Map<string, { sha256: string; copies: number }>> {
  const headers = { authorization: `Bearer ${secret}` }
  const found = new Map<string, { sha256: string; copies: number }>()
  for (let query = ''; ;) {
    const page: any = await (await fetch(`${url}/api/v1/messages${query}`, { headers })).json()
    const raws = page.messages.map(async ({ id }: { id: string }) => {
      const response = await fetch(`${url}/api/v1/messages/${id}/raw`, { headers })
      expect(response.status, address).toBe(200)
      return Buffer.from(await response.arrayBuffer())
    })
    for (const raw of await Promise.all<Buffer>(raws)) {
      const mail = findLoadMail(raw)
      expect(mail, raw.toString('latin1', 0, 500)).toBeDefined()
      if (!mail) continue
      found.set(mail.id, { sha256: hash('sha256', mail.raw), copies: (found.get(mail.id)?.copies ?? 0) + 1 })
    }
    if (page.next === null) return found
    query = `?before=${page.next}`
  }
}

test(
  `what was acknowledged is there after ${KILLS} kills under load, once and unchanged`,
  { timeout: 120_000 },
  async () => {
    const ledger = new Ledger()
    const owners: ApiClient[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      const program = await startProgram({ env, dataDir })
      while (owners.length < ADDRESSES) owners.push(await createAddress(program.url))
      const moment = 1 + Math.floor(Math.random() * 150)
      let acknowledged = 0
      await runLoad({
        port: program.smtpPort,
        connections: 16,
        perConnection: 1000,
        messages: Infinity,
        seconds: 20,
        recipients: owners.map(({ address }) => address),
        mails: loadMails(4096, `kill${kill}`, { dots: true }),
        ledger,
        acknowledged() {
          // Not at the 250 itself, when the server has just come to rest, but anywhere in the work that follows.
          if (++acknowledged === moment) setTimeout(() => program.child.kill('SIGKILL'), Math.random() * 10)
        },
      })
      expect(acknowledged).toBeGreaterThanOrEqual(moment)
      expect(await program.stop()).toBe(null)
    }
    expect(ledger.count('refused')).toBe(0)
    // Otherwise no kill fell into the middle of a mail.
    expect(ledger.count('unknown')).toBeGreaterThan(KILLS)

    const program = await startProgram({ env, dataDir })
    const inboxes = new Map(
      await Promise.all(owners.map(async (owner) => [owner.address, await inboxOf(program.url, owner)] as const)),
    )
    expect(await program.stop()).toBe(0)
    const wrong = [...ledger.entries.values()].flatMap((entry) => {
      const kept = inboxes.get(entry.recipient)?.get(entry.id)
      if (!kept) return entry.outcome === 'acknowledged' ? [`${entry.id} is missing`] : []
      if (kept.sha256 !== entry.sha256) return [`${entry.id} is changed`]
      return kept.copies > 1 ? [`${entry.id} is there ${kept.copies} times`] : []
    })
    expect(wrong).toEqual([])
    const strangers = [...inboxes.values()].flatMap((inbox) =>
      [...inbox.keys()].filter((id) => !ledger.entries.has(id)),
    )
    expect(strangers).toEqual([])
  },
)
