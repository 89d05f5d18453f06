import { randomBytes } from 'node:crypto'
import { dkimVerify } from 'mailauth'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { bounceTo } from '#test/support/mail/reports.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type DnsServer, startDnsServer } from '../support/dns/dns-server.ts'
import {
  DKIM_METADATA,
  dkimRecordIn,
  forwardedTo,
  FORWARDINGS,
  forwardingAddress,
  forwardingEnv,
  settledAt,
} from '../support/fixtures/forwarding-program.ts'
import { sendMail } from '../support/mail/mail.ts'
import { type Relay, startRelay } from '../support/mail/relay.ts'
import { clientOf } from '../support/program/api.ts'
import { newDatabase, runSql } from '../support/program/postgres.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '../support/program/program.ts'

const serviceKey = randomBytes(32).toString('hex')
let database: Awaited<ReturnType<typeof newDatabase>>
let relay: Relay
let dns: DnsServer
let nodes: Program[]
beforeAll(async () => {
  database = await newDatabase(inject('postgres'))
  relay = await startRelay()
  dns = await startDnsServer()
  const env = {
    ...WITHOUT_LIMITS,
    ...forwardingEnv(relay, dns.address),
    MAYFLY_DATABASE_URL: database.url,
    MAYFLY_SECRET_KEY: serviceKey,
    MAYFLY_OUTBOUND_SECONDS: '2',
    MAYFLY_AUTHENTICATION_SECONDS: '1',
    MAYFLY_DOMAIN_LOOKUP_SECONDS: '1',
  }
  nodes = await Promise.all([startProgram({ env }), startProgram({ env })])
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  await relay.close()
  dns.close()
  await database.drop()
})

/** Sends from a domain without DNS records. */
const send = ({ smtpPort }: Program, to: string, subject: string): Promise<void> =>
  sendMail(smtpPort, { from: 'a@quiet.example', to, subject, text: subject })
const subjectsAt = (destination: string): (string | undefined)[] =>
  forwardedTo(relay, destination).map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw.toString())?.[1])

test('two nodes forward each message once, with one key; one node sends the leased jobs of a dead one', async () => {
  const [one, two] = nodes as [Program, Program]
  const destination = 'reader@real.example'
  const owner = await forwardingAddress(one.url, relay, destination)
  const there = clientOf(two.url, owner.address, owner.secret)
  const subjects = Array.from({ length: 20 }, (_, i) => `Mail ${i}`)
  await Promise.all(subjects.map((subject, i) => send(i % 2 === 0 ? one : two, owner.address, subject)))
  await settledAt(there, subjects.length)
  expect(subjectsAt(destination).toSorted()).toEqual(subjects.toSorted())
  // Both nodes signed with the key of one DNS record.
  const [metadata] = await runSql(database.url, DKIM_METADATA)
  const record = dkimRecordIn(serviceKey, metadata?.value)
  for (const { raw } of forwardedTo(relay, destination)) {
    const { results } = await dkimVerify(raw, { resolver: async () => [[record]] })
    expect(results.map(({ status }) => status.result)).toEqual(['pass'])
  }

  // A bounce may arrive at another node than the message.
  const [first] = forwardedTo(relay, destination)
  for (const { smtpPort } of [one, two]) {
    await sendMail(smtpPort, { envelope: { from: '', to: first!.from }, raw: bounceTo(first!.from) })
  }
  const { entries } = await there.json(`${FORWARDINGS}/log`)
  expect(entries.filter(({ outcome }: { outcome: string }) => outcome === 'refused')).toHaveLength(1)

  const asked = relay.asked.length
  let hung = false
  relay.behave = (step) => {
    if (step !== 'RCPT' || hung) return 'accept'
    hung = true
    return 'hang'
  }
  await send(one, owner.address, 'Held')
  await relay.until(() => relay.asked.length > asked)
  // The job is leased by the node that received the message: the other one checks only every two seconds.
  await one.stop('SIGKILL')
  await vi.waitFor(() => expect(subjectsAt(destination)).toContain('Held'), { timeout: PATIENCE, interval: 100 })
  await settledAt(there, subjects.length + 1)
  expect(subjectsAt(destination).filter((each) => each === 'Held')).toHaveLength(1)
})
