import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { expect, vi } from 'vitest'
import { PATIENCE } from '#test/support/program/patience.ts'
import { faultsOf, type Inbox, inboxOf, type Read } from '../load/inbox.ts'
import { Ledger } from '../load/ledger.ts'
import { createAddress } from '../support/program/api.ts'
import { PostgresServer } from '../support/program/postgres.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '../support/program/program.ts'
import { Sender } from './sender.ts'
import { TcpProxy } from './tcp-proxy.ts'
import { visit, type Visitor } from './visitor.ts'

const NODES = 3
/** Addresses; many, so that messages seldom wait for each other. */
const ADDRESSES = 24
/**
 * Inboxes that are read at a time. Reading all at once would keep small nodes busy for longer than a statement may
 * take.
 */
const READ_AT_ONCE = 8

/** A commit takes 100 ms, so that failures interrupt commits. */
const SLOW_COMMITS = { commit_delay: '100000', commit_siblings: '0' }

/** Only statements that store messages write bodies. */
const COMMITTING = `
  select distinct pid from pg_locks join pg_stat_activity using (pid)
   where relation = 'bodies'::regclass and mode = 'RowExclusiveLock' and query = 'commit' and state = 'active'`

const ENV = {
  ...WITHOUT_LIMITS,
  MAYFLY_STREAMS_PER_IP_MAX: '1000',
  // The name server refuses at once, so that the work after each message ends soon.
  MAYFLY_DNS_SERVERS: '127.0.0.1:1',
}

/**
 * Three nodes on a separate PostgreSQL server, addresses, and a visitor of each address, whose stream is on any of the
 * nodes.
 */
export class Cluster {
  readonly database: PostgresServer
  /** Between each node and the database. */
  readonly proxies: TcpProxy[] = []
  readonly nodes: Program[] = []
  readonly visitors: Visitor[] = []
  /** The records of all senders. */
  readonly ledger = new Ledger()
  /** Messages that were downloaded before. Downloading them again for each comparison would take most of the time. */
  readonly #read = new Map<string, Read>()
  readonly #env: Record<string, string>
  #loads = 0

  private constructor(database: PostgresServer, env: Record<string, string>) {
    this.database = database
    this.#env = { ...ENV, MAYFLY_SECRET_KEY: randomBytes(32).toString('hex'), ...env }
  }

  static async start(env: Record<string, string> = {}): Promise<Cluster> {
    const cluster = new Cluster(await PostgresServer.start({ durable: true, settings: SLOW_COMMITS }), env)
    const target = { host: '127.0.0.1', port: cluster.database.port }
    for (let i = 0; i < NODES; i++) cluster.proxies.push(await TcpProxy.start(target))
    await Promise.all(cluster.proxies.map((_, node) => cluster.startNode(node)))
    for (let i = 0; i < ADDRESSES; i++) {
      cluster.visitors.push(visit(cluster.nodes, i, await createAddress(cluster.nodes[0]?.url ?? '')))
    }
    return cluster
  }

  /** Starts to send to all addresses, through all nodes or some. `run` distinguishes the messages of several loads. */
  load(run: string, nodes = this.nodes): Sender {
    const recipients = this.visitors.map(({ address }) => address)
    // A test that is tried again sends other messages.
    return new Sender({ nodes, recipients, run: `${run}${this.#loads++}`, ledger: this.ledger })
  }

  /** Starts a node, also after it has ended. */
  async startNode(node: number): Promise<void> {
    const url = new URL(this.database.url())
    url.port = String(this.proxies[node]?.port)
    this.nodes[node] = await startProgram({ env: { ...this.#env, MAYFLY_DATABASE_URL: url.href } })
  }

  /** Returns all differences: of the inboxes from the senders' records, and of the visitors' pages from the inboxes. */
  async faults(): Promise<string[]> {
    const url = this.nodes.at(-1)?.url ?? ''
    const inboxes = new Map<string, Inbox>()
    const left = this.visitors.values()
    const read = async (): Promise<void> => {
      for (const each of left) inboxes.set(each.address, await inboxOf(url, each, this.#read))
    }
    await Promise.all(Array.from({ length: READ_AT_ONCE }, read))
    const unseen = this.visitors.flatMap(({ address, shown }, i) => {
      const kept = [...(inboxes.get(address)?.values() ?? [])].flatMap(({ messageIds }) => messageIds)
      return [
        ...kept.filter((id) => !shown.has(id)).map((id) => `visitor ${i} did not show ${id}`),
        ...[...shown].filter((id) => !kept.includes(id)).map((id) => `visitor ${i} still sees ${id}`),
      ]
    })
    return [...faultsOf(this.ledger, inboxes), ...unseen]
  }

  /** Resolves at a moment when several transactions are about to commit messages. */
  async isCommitting(): Promise<void> {
    const client = new Client({ connectionString: this.database.url() })
    await client.connect()
    const count = async (): Promise<number> => (await client.query(COMMITTING)).rows.length
    try {
      await expect.poll(count, { interval: 1 }).toBeGreaterThan(1)
    } finally {
      await client.end()
    }
  }

  /** Resolves when there are no differences. Recovery may take some seconds. */
  async isConsistent(): Promise<void> {
    await vi.waitFor(async () => expect(await this.faults()).toEqual([]), { timeout: PATIENCE, interval: 200 })
  }

  async stop(): Promise<void> {
    for (const visitor of this.visitors) visitor.close()
    await Promise.all(this.nodes.map((node) => node.stop('SIGKILL')))
    await Promise.all(this.proxies.map((proxy) => proxy.close()))
    await this.database.remove()
  }
}
