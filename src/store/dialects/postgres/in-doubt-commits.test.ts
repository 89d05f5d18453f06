import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { INBOX_TOPIC } from '#core/events.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { runSql } from '#test/support/program/postgres.ts'
import { claimed, key, newMessage, NOW } from '../../suite/fixtures.ts'
import { newMail } from '../../suite/forwarding-fixtures.ts'
import { createInDoubtCommits } from './in-doubt-commits.ts'
import { databaseForNodes, defaults, type Node } from './testing.ts'

let here: Awaited<ReturnType<typeof databaseForNodes>>
let direct: Node
let node: Node
const sockets = new Set<Socket>()
/** If set, the proxy drops the reply to the next commit and closes the connection. */
let armed = false
const trouble = vi.fn()

/** A proxy between the node and the server. */
const proxy = createServer((client) => {
  const { hostname, port } = new URL(here.url)
  const server = connect(Number(port), hostname)
  for (const each of [client, server]) {
    sockets.add(each)
    each.on('error', () => {})
    each.on('close', () => {
      client.destroy()
      server.destroy()
      sockets.delete(each)
    })
  }
  let losing = false
  client.on('data', (chunk: Buffer) => {
    if (armed && chunk.includes('commit')) [losing, armed] = [true, false]
    server.write(chunk)
  })
  server.on('data', (chunk: Buffer) => {
    if (!losing) client.write(chunk)
    else if (chunk.includes('COMMIT')) server.destroy()
  })
})

beforeAll(async () => {
  here = await databaseForNodes()
  direct = await here.node()
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(here.url)
  url.port = String((proxy.address() as AddressInfo).port)
  node = await here.node({ url: url.href, statementTimeout: 1500, writers: 1, onTrouble: trouble })
})

afterAll(async () => {
  await here.drop()
  for (const socket of sockets) socket.destroy()
  proxy.close()
})

test('does not acknowledge a commit whose reply is lost, and removes the message before the sender retries', async () => {
  const { id } = await claimed(direct.store)
  const before = newMessage(id)
  expect(await node.store.messages.append([before])).toEqual(['stored'])
  const notified = [node, direct].map(({ store }) => {
    const ids: string[] = []
    store.channel.onItems(INBOX_TOPIC, (given) => ids.push(...given))
    return ids
  })

  // The partitions of the next hours are created in the background and committed too.
  const countPartitions = `select count(*)::int as count from pg_inherits where inhparent in ('messages'::regclass, 'bodies'::regclass)`
  await expect.poll(() => runSql(here.url, countPartitions)).toEqual([{ count: 8 }])

  armed = true
  const doubtful = newMessage(id, { forwarding: newMail({ id: key(), destinationKey: key() }) })
  const append = node.store.messages.append([doubtful])
  await expect(append).rejects.toMatchObject({ code: 'store_unavailable' })
  const list = async (): Promise<string[]> =>
    (await direct.store.messages.list(id, { now: NOW, limit: 10 })).map((row) => row.id)
  await vi.waitFor(async () => expect(await list()).toEqual([before.id]), PATIENCE)
  expect(armed).toBe(false)
  // A watcher may have seen the message.
  await vi.waitFor(() => expect(notified).toEqual([[id], [id]]), PATIENCE)
  expect((await direct.store.addresses.find(id, NOW))?.usedBytes).toBe(before.size)
  const queued = 'select (select count(*) from forwarding_jobs) + (select count(*) from forwarding_mails) as count'
  expect(await runSql(here.url, queued)).toEqual([{ count: '0' }])
  // The retry of the sender.
  const again = newMessage(id)
  expect(await node.store.messages.append([again])).toEqual(['stored'])
  expect(await list()).toEqual([again.id, before.id])
})

/** A connection with a name of its own, whose process on the server is frozen on demand. */
async function backend() {
  const name = key()
  const client = new Client({ connectionString: here.url, application_name: name })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]!.pid
  const thaw = (): void => {
    try {
      process.kill(pid, 'SIGCONT')
    } catch {
      // It has ended.
    }
  }
  return { name, freeze: () => process.kill(pid, 'SIGSTOP'), thaw }
}

test('a backend that does not end keeps neither the messages of others, nor a stop', async () => {
  const [frozen, other] = [await backend(), await backend()]
  const removed: string[] = []
  const remove = async ({ id }: { id: string }) => removed.push(id)
  const inDoubt = createInDoubtCommits({ connection: { ...defaults, url: here.url }, remove, onTrouble: trouble })
  frozen.freeze()
  try {
    inDoubt.add(frozen.name, [newMessage(key(), { id: 'first' })])
    inDoubt.add(frozen.name, [newMessage(key(), { id: 'second' })])
    const waiting = `select count(*)::int as count from pg_stat_activity where query like '%pg_terminate_backend%' and pid <> pg_backend_pid()`
    await expect.poll(() => runSql(here.url, waiting)).toEqual([{ count: 1 }])
    inDoubt.add(other.name, [newMessage(key(), { id: 'third' })])
    inDoubt.retract([newMessage(key(), { id: 'fourth' })])
    await vi.waitFor(() => expect(removed.toSorted()).toEqual(['fourth', 'third']), PATIENCE)
    frozen.thaw()
    await vi.waitFor(() => expect(removed.slice(2).toSorted()).toEqual(['first', 'second']), PATIENCE)
  } finally {
    frozen.thaw()
  }
  await inDoubt.settled(60_000)

  const last = await backend()
  last.freeze()
  const ending = performance.now()
  inDoubt.add(last.name, [newMessage(key(), { id: 'fifth' })])
  await inDoubt.settled(100)
  last.thaw()
  expect(performance.now() - ending).toBeLessThan(5000)
  expect(removed).not.toContain('fifth')
})
