import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Ledger } from '#test/load/ledger.ts'
import { runLoad } from '#test/load/load.ts'
import { findLoadMail, loadMails } from '#test/load/mail.ts'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { forwardedTo, forwardingAddress, forwardingEnv } from '#test/support/fixtures/forwarding-program.ts'
import { type Relay, startRelay } from '#test/support/mail/relay.ts'
import type { ApiClient } from '#test/support/program/api.ts'
import { startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const KILLS = 3
const ADDRESSES = 4
const AT_ONCE = 8

let dataDir: string
let relay: Relay
let dns: DnsServer
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-forwarding-crash-'))
  relay = await startRelay()
  dns = await startDnsServer()
})
afterAll(async () => {
  await relay.close()
  dns.close()
  await rm(dataDir, { recursive: true, force: true })
})

const destinations = Array.from({ length: ADDRESSES }, (_, i) => `reader-${i}@real.example`)
const idsAtRelay = () =>
  destinations.flatMap((each) => forwardedTo(relay, each)).flatMap(({ raw }) => findLoadMail(raw) ?? [])

test(`forwards every acknowledged message unchanged after ${KILLS} kills under load`, async () => {
  const env = {
    ...WITHOUT_LIMITS,
    ...forwardingEnv(relay, dns.address),
    MAYFLY_FORWARD_PER_HOUR: '100000',
    MAYFLY_FORWARD_PER_DAY: '100000',
    MAYFLY_FORWARDS_AT_ONCE_MAX: String(AT_ONCE),
    // Leases of a killed node expire after these times.
    MAYFLY_OUTBOUND_SECONDS: '1',
    MAYFLY_AUTHENTICATION_SECONDS: '1',
    MAYFLY_DOMAIN_LOOKUP_SECONDS: '1',
  }
  const ledger = new Ledger()
  const owners: ApiClient[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const program = await startProgram({ env, dataDir })
    for (const each of destinations.slice(owners.length)) owners.push(await forwardingAddress(program.url, relay, each))
    const moment = 20 + Math.floor(Math.random() * 30)
    let acknowledged = 0
    await runLoad({
      port: program.smtpPort,
      connections: 4,
      perConnection: 1000,
      messages: Infinity,
      seconds: 20,
      rate: 100,
      recipients: owners.map(({ address }) => address),
      mails: loadMails(2048, `kill${kill}`, { dots: true }),
      ledger,
      acknowledged() {
        if (++acknowledged === moment) setTimeout(() => program.child.kill('SIGKILL'), Math.random() * 10)
      },
    })
    expect(acknowledged).toBeGreaterThanOrEqual(moment)
    expect(await program.stop()).toBe(null)
  }
  const kept = [...ledger.entries.values()].filter(({ outcome }) => outcome === 'acknowledged')
  // Otherwise no job waited when the program was killed.
  expect(idsAtRelay().length).toBeLessThan(kept.length)

  const program = await startProgram({ env, dataDir })
  const missing = () => {
    const there = new Set(idsAtRelay().map(({ id }) => id))
    return kept.filter(({ id }) => !there.has(id)).length
  }
  await expect.poll(missing, { interval: 50 }).toBe(0)
  expect(await program.stop()).toBe(0)

  const arrived = idsAtRelay()
  for (const { id, raw } of arrived) expect(hash('sha256', raw)).toBe(ledger.entries.get(id)?.sha256)
  // Twice only if the program was killed between the relay's reply and its own record of it.
  expect(arrived.length - new Set(arrived.map(({ id }) => id)).size).toBeLessThanOrEqual(KILLS * AT_ONCE)
})
