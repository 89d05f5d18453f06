import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, vi } from 'vitest'
import { SECRET_KEY_FILE } from '#config/secret-key.ts'
import { dkimRecord } from '#mail/forwarding/dkim-key.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { type ApiClient, createAddress } from './api.ts'
import { parsed } from './outbox.ts'
import type { Program } from './program.ts'
import type { Relay } from './relay.ts'
import { PATIENCE } from '#test/patience.ts'

export const FORWARDINGS = '/api/v1/forwardings'

/** Settings with which a program forwards through a relay, and looks up what a name server of the test's own says. */
export const forwardingEnv = (relay: Relay, dnsServer: string): Record<string, string> => ({
  MAYFLY_OUTBOUND_URL: relay.url,
  MAYFLY_DNS_SERVERS: dnsServer,
  MAYFLY_FORWARD_ASK_BURST: '100000',
})

/** An address whose mail goes on to a destination that has agreed, by the link of the mail that asked it. */
export async function forwardingAddress(url: string, relay: Relay, destination: string): Promise<ApiClient> {
  const client = await createAddress(url)
  const response = await client.send('POST', FORWARDINGS, { destination })
  expect(response.status).toBe(202)
  const [letter] = await relay.mailsTo(destination)
  const { link } = await parsed('', letter!.raw)
  // Of whichever node asked.
  const agreed = await fetch(new URL(link.pathname + link.search, url), {
    method: 'POST',
    body: new URLSearchParams({ action: 'confirm' }),
  })
  expect(agreed.status).toBe(200)
  return client
}

/** What became of the mails of an address, newest first; null for those that wait. */
export const outcomesOf = async (client: ApiClient): Promise<(string | null)[]> =>
  (await client.json(`${FORWARDINGS}/log`)).entries.map(({ outcome }: { outcome: string | null }) => outcome)

/** The mails that went on to a destination, without what Mayfly itself wrote to it. */
export const forwardedTo = (relay: Relay, destination: string): Relay['received'] =>
  relay.received.filter(({ to, raw }) => to === destination && raw.includes('\r\nX-Mayfly-Forwarded: '))

/** The DKIM record of a service, by its key (hex) and what its database has of it. */
export const dkimRecordIn = (serviceKey: string, fact: unknown): string =>
  dkimRecord(createWrap(Buffer.from(serviceKey, 'hex')).unwrap('signing key', Buffer.from(String(fact), 'base64')))

/** What `facts` has under this name is the DKIM key, wrapped. */
export const DKIM_FACT = "select value from facts where name = 'dkim mayfly'"

/** The DKIM record that the operator of a program would publish. */
export function dkimRecordOf({ dataDir }: Pick<Program, 'dataDir'>): string {
  const database = new DatabaseSync(join(dataDir, 'mayfly.db'), { readOnly: true })
  try {
    const key = readFileSync(join(dataDir, SECRET_KEY_FILE), 'utf8').trim()
    return dkimRecordIn(key, database.prepare(DKIM_FACT).get()?.value)
  } finally {
    database.close()
  }
}

/** Resolves when an address has so many outcomes, none of which waits. */
export const settledAt = (client: ApiClient, count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const outcomes = await outcomesOf(client)
      expect(outcomes).toHaveLength(count)
      expect(outcomes).not.toContain(null)
    },
    { timeout: PATIENCE, interval: 20 },
  )
