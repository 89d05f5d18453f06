/**
 * Measures how many messages per second the store appends, and how long reads take: `node bench/store.ts [directory]`.
 * The directory determines the disk. By default it is the temporary directory of the system.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewMessage } from '../src/core/mailbox/message-store.ts'
import { openStore } from '../src/store/store.ts'

const ADDRESSES = 20_000
const MESSAGES = 60_000
const NOW = Date.now()
const LATER = NOW + 86_400_000

const directory = await mkdtemp(join(process.argv[2] ?? tmpdir(), 'mayfly-bench-'))
const store = await openStore({ directory, logger: console })
const ids = Array.from({ length: ADDRESSES }, () => randomBytes(17).toString('base64url').slice(0, 22))
let count = 0

const message = (addressId: string, sealedBody: Uint8Array): NewMessage => ({
  addressId,
  id: String(++count).padStart(26, '0'),
  receivedAt: NOW,
  expiresAt: LATER,
  size: sealedBody.length,
  limitBytes: Number.MAX_SAFE_INTEGER,
  sealedBody,
})

const quantile = (sorted: number[], share: number): string =>
  (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2).padStart(8)

function report(name: string, latencies: number[], extra = ''): void {
  const sorted = latencies.toSorted((a, b) => a - b)
  console.log(`${name.padEnd(44)} p50 ${quantile(sorted, 0.5)} ms  p99 ${quantile(sorted, 0.99)} ms  ${extra}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function append(size: number, together: number, lanes: number): Promise<void> {
  const body = randomBytes(size)
  const latencies: number[] = []
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  const last = count + MESSAGES
  const lane = async (): Promise<void> => {
    while (count < last) {
      const batch = Array.from({ length: together }, () =>
        message(ids[Math.floor(Math.random() * ADDRESSES)] ?? '', body),
      )
      latencies.push(await timed(() => store.messages.append(batch)))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  const perSecond = Math.round(MESSAGES / ((performance.now() - start) / 1000))
  const { user, system } = process.cpuUsage(cpu)
  const cpuSeconds = ((user + system) / MESSAGES / 1000).toFixed(2)
  report(
    `append ${size} bytes, ${lanes} times ${together}`,
    latencies,
    `${perSecond} per second, ${cpuSeconds} CPU s per 1,000`,
  )
}

async function read(name: string, work: () => Promise<unknown>): Promise<void> {
  const latencies: number[] = []
  for (let i = 0; i < 500; i++) {
    latencies.push(await timed(work))
  }
  report(name, latencies)
}

await Promise.all(
  ids.map((id) =>
    store.addresses.claim(
      {
        id,
        nameKey: id,
        publicKey: randomBytes(32),
        sealedName: randomBytes(100),
        lifetime: 'day',
        createdAt: NOW,
        expiresAt: LATER,
        heldUntil: LATER,
      },
      NOW,
    ),
  ),
)
await append(8192, 64, 2)
await append(8192, 100, 2)
await append(8192, 1, 100)
await append(3500, 64, 2)

const [busy = '', other = ''] = ids
const summary = randomBytes(600)
for (let i = 0; i < 200; i++) {
  const batch = Array.from({ length: 500 }, () => message(busy, summary))
  await store.messages.append(batch)
  await store.messages.attachSummaries(batch.map((each) => ({ ...each, sealedSummary: summary })))
}
const revision = (await store.addresses.find(busy, NOW))?.revision ?? 0
await read('list 50 of 100,000', () => store.messages.list(busy, { now: NOW, limit: 50 }))
await read('the last 5 changes of 100,000', () => store.messages.changes(busy, revision - 5, NOW))
await read('find an address', () => store.addresses.find(other, NOW))
await read('find 50 recipients', () => store.addresses.findRecipients(ids.slice(100, 150), NOW))
await store.close()
await rm(directory, { recursive: true })
