import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { signedIn, type SiteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { type Document, type GeneratedRequest, type Operation, readDocument } from '#test/support/openapi/operations.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

const EMAIL = 'properties@example.org'
const BATCHES = 100
const REQUESTS_AT_ONCE = 50

let dns: DnsServer
let program: Program
let document: Document
let operations: Map<string, Operation>
let owner: ApiClient
let subscriber: SiteClient
/** Ids that exist. */
const known: Record<string, string[]> = { index: ['0', '1', '01', '1.0'], wait: ['0'], login: [], domain: [] }

beforeAll(async () => {
  dns = await startDnsServer()
  program = await startProgram({ env: { MAYFLY_DNS_SERVERS: dns.address } })
  document = await readDocument(program.url)
  operations = new Map(document.operations.map((each) => [each.id, each]))
  await newOwner()
  await subscribeIn(program, EMAIL)
  subscriber = await signedIn(program, EMAIL)
  const { id: kept } = await created('/api/v1/account/addresses', {})
  const { id: key, token } = await created('/api/v1/account/keys', { label: 'test' })
  Object.assign(known, { domain: ['mayfly.test', 'vip.mayfly.test'], kept: [kept], key: [key], token: [token] })
})
afterAll(async () => {
  await program.stop()
  dns.close()
})

async function created(path: string, body: object): Promise<any> {
  return (await subscriber.send('POST', path, body)).json()
}

async function newOwner(): Promise<void> {
  owner = await createAddress(program.url)
  const attachments = [{ filename: 'a.txt', content: 'a' }]
  await sendMail(program.smtpPort, { to: owner.address, subject: 'Your code is 482913', text: '482913', attachments })
  known.id = [
    (await owner.json('/api/v1/messages?wait=30')).messages[0].id,
    ...(known.kept ?? []),
    ...(known.key ?? []),
  ]
  known.secret = [owner.secret]
}

type Role = 'anonymous' | 'owner' | 'key' | 'subscriber'

function headersOf(role: Role): Record<string, string> {
  if (role === 'owner') return { authorization: `Bearer ${owner.secret}` }
  if (role === 'key') return { authorization: `Bearer ${owner.secret}`, 'x-api-key': known.token?.[0] ?? '' }
  if (role === 'anonymous') return {}
  return { origin: program.url, cookie: [...subscriber.cookies].map((pair) => pair.join('=')).join('; ') }
}

interface Call {
  id: string
  role: Role
  request: GeneratedRequest
}

/** Calls that never end, or end what the other calls need. They have tests of their own. */
const LEFT_OUT = new Set(['signOut', 'eraseAccount', 'endSession'])

async function faultOf({ id, role, request }: Call): Promise<string | undefined> {
  const operation = operations.get(id)!
  const { url, ...options } = request
  const ended = new AbortController()
  try {
    const headers = { ...headersOf(role), ...options.headers }
    const response = await fetch(url, { ...options, body: options.body ?? null, headers, signal: ended.signal })
    const fault = await document.fault(operation, response)
    return fault && `${operation.method} ${url} ${JSON.stringify(options.body)} (${role}): ${fault}`
  } finally {
    ended.abort()
  }
}

test('answers only as documented, whatever it is asked', async () => {
  const seen = new Set<string>()
  const calls = fc.constantFrom(...document.operations.filter(({ id }) => !LEFT_OUT.has(id))).chain((operation) =>
    fc.record({
      id: fc.constant(operation.id),
      role: fc.constantFrom<Role>('anonymous', 'owner', 'owner', 'key', 'subscriber', 'subscriber'),
      request: document.request(operation, known),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: REQUESTS_AT_ONCE, maxLength: REQUESTS_AT_ONCE }), async (batch) => {
      const faults = (await Promise.all(batch.map(faultOf))).filter((fault) => fault !== undefined)
      expect(faults).toEqual([])
      for (const { id } of batch) seen.add(id)
      if ((await owner.get('/api/v1/messages')).status === 401) await newOwner()
    }),
    { numRuns: BATCHES, endOnFailure: true, seed: Number(process.env.FAST_CHECK_SEED ?? 18) },
  )
  expect(seen.size).toBe(document.operations.length - LEFT_OUT.size)
})
