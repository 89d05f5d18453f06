import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, inboxOf } from '#test/load/inbox.ts'
import { Ledger } from '#test/load/ledger.ts'
import { runLoad } from '#test/load/load.ts'
import { loadMails } from '#test/load/mail.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { startProgram } from '#test/support/program/program.ts'

const KILLS = 8
const ADDRESSES = 5
const env = { MAYFLY_API_REQUESTS_PER_SECOND: '1000000', MAYFLY_ADDRESS_CREATE_BURST: '1000' }

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-crash-'))
})

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

test(`has every acknowledged message exactly once and unchanged after ${KILLS} kills under load`, async () => {
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
        // Not right after the 250, when the server is idle for a moment, but at any time during the following work.
        if (++acknowledged === moment) setTimeout(() => program.child.kill('SIGKILL'), Math.random() * 10)
      },
    })
    expect(acknowledged).toBeGreaterThanOrEqual(moment)
    expect(await program.stop()).toBe(null)
  }
  expect(ledger.count('refused')).toBe(0)
  // Otherwise no kill interrupted a message.
  expect(ledger.count('unknown')).toBeGreaterThan(KILLS)

  const program = await startProgram({ env, dataDir })
  const inboxes = new Map(
    await Promise.all(owners.map(async (owner) => [owner.address, await inboxOf(program.url, owner)] as const)),
  )
  expect(await program.stop()).toBe(0)
  expect(faultsOf(ledger, inboxes)).toEqual([])
})
