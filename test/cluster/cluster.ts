import { randomBytes } from 'node:crypto'
import { expect, vi } from 'vitest'
import { PATIENCE } from '#test/support/program/patience.ts'
import { faultsOf, type Inbox, inboxOf } from '../load/inbox.ts'
import { Ledger } from '../load/ledger.ts'
import { createAddress } from '../support/program/api.ts'
import { PostgresServer, runSql } from '../support/program/postgres.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '../support/program/program.ts'
import { Sender } from './sender.ts'
import { TcpProxy } from './tcp-proxy.ts'
import { visit, type Visitor } from './visitor.ts'

const NODES = 3
/** Many, so that mails seldom wait for one another. */
const ADDRESSES = 60
/** Inboxes that are read at one time: all at once would keep small nodes busy for longer than a statement may take. */
const READ_AT_ONCE = 8

/**
 * A commit takes 60 ms, so that whatever happens falls into the middle of one; and the load, which waits for commits, stays what
 * a small machine carries.
 */
const SLOW_COMMITS = { commit_delay: '60000', commit_siblings: '0' }

/** Only who stores mail writes bodies. */
const COMMITTING = `
  select distinct pid from pg_locks join pg_stat_activity using (pid)
   where relation = 'bodies'::regclass and mode = 'RowExclusiveLock' and query = 'commit' and state = 'active'`

const ENV = {
  ...WITHOUT_LIMITS,
  MAYFLY_STREAMS_PER_IP_MAX: '1000',
  // Nobody is there, and says so at once: the work that goes on behind a mail is soon done.
  MAYFLY_DNS_SERVERS: '127.0.0.1:1',
}

/** Three nodes on a PostgreSQL server of their own, addresses, and a visitor of each, whose stream is on any of the nodes. */
export class Cluster {
  readonly database: PostgresServer
  /** Between each node and the database. */
  readonly proxies: TcpProxy[] = []
  readonly nodes: Program[] = []
  readonly visitors: Visitor[] = []
  /** The books of all senders. */
  readonly ledger = new Ledger()
  readonly #env: Record<string, string>

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

  /** Begins to send to all addresses, through all nodes or some; `run` keeps the mails of several loads apart. */
  load(run: string, nodes = this.nodes): Sender {
    const recipients = this.visitors.map(({ address }) => address)
    return new Sender({ nodes, recipients, run, ledger: this.ledger })
  }

  /** Starts a node, again after it ended. */
  async startNode(node: number): Promise<void> {
    const url = new URL(this.database.url())
    url.port = String(this.proxies[node]?.port)
    this.nodes[node] = await startProgram({ env: { ...this.#env, MAYFLY_DATABASE_URL: url.href } })
  }

  /** All that is not as it should be: in the inboxes by the senders' books, and on the visitors' pages by the inboxes. */
  async faults(): Promise<string[]> {
    const url = this.nodes.at(-1)?.url ?? ''
    const inboxes = new Map<string, Inbox>()
    const left = this.visitors.values()
    const read = async (): Promise<void> => {
      for (const each of left) inboxes.set(each.address, await inboxOf(url, each))
    }
    await Promise.all(Array.from({ length: READ_AT_ONCE }, read))
    const unseen = this.visitors.flatMap(({ address, shown }, i) => {
      const kept = [...(inboxes.get(address)?.values() ?? [])].flatMap(({ messageIds }) => messageIds)
      return [
        ...kept.filter((id) => !shown.has(id)).map((id) => `visitor ${i} was not told of ${id}`),
        ...[...shown].filter((id) => !kept.includes(id)).map((id) => `visitor ${i} still sees ${id}`),
      ]
    })
    return [...faultsOf(this.ledger, inboxes), ...unseen]
  }

  /** Resolves at a moment when several transactions are about to commit mails. */
  async isCommitting(): Promise<void> {
    const count = async (): Promise<number> => (await runSql(this.database.url(), COMMITTING)).length
    await expect.poll(count, { interval: 1 }).toBeGreaterThan(3)
  }

  /** Resolves when all is as it should be: what was broken may take some seconds to heal. */
  async isSound(): Promise<void> {
    await vi.waitFor(async () => expect(await this.faults()).toEqual([]), { timeout: PATIENCE, interval: 200 })
  }

  async stop(): Promise<void> {
    for (const visitor of this.visitors) visitor.close()
    await Promise.all(this.nodes.map((node) => node.stop('SIGKILL')))
    await Promise.all(this.proxies.map((proxy) => proxy.close()))
    await this.database.remove()
  }
}
