import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { openStore } from '../../store.ts'

/** A process that appends messages until it is killed, and reports each message that the store acknowledged. */
const [directory = '', addressId = '', first = '0'] = process.argv.slice(2)
const store = await openStore({ directory, logger: console })
let next = Number(first)

async function append(): Promise<void> {
  for (;;) {
    const batch = Array.from({ length: 5 }, () => {
      const id = `01k${String(next++).padStart(23, '0')}`
      // The body contains the id of its message, so that a mix-up is noticed.
      const sealedBody = Buffer.concat([Buffer.from(id), randomBytes(4000)])
      return { addressId, id, receivedAt: 1, expiresAt: 9e15, size: 1, limitBytes: 1e9, sealedBody }
    })
    const outcomes = await store.messages.append(batch)
    process.stdout.write(batch.map(({ id }, i) => `${id} ${outcomes[i]}\n`).join(''))
  }
}

// Stdin closes when the parent process exits.
createInterface(process.stdin).on('close', () => process.exit())
await Promise.all(Array.from({ length: 8 }, append))
