import { setTimeout as pause } from 'node:timers/promises'
import type { Channel } from '#core/events.ts'
import { Connection, type ConnectionOptions } from './connections.ts'

const NAME = 'mayfly'
/**
 * Items are gathered for so long, in milliseconds: a notification is a commit that all others of the database wait
 * behind.
 */
const GATHER = 5
/** PostgreSQL takes less than 8,000 bytes. */
const PAYLOAD_MAX = 7900
/** So many items wait while the database is away; beyond them the others are told that they missed some. */
const WAITING_MAX = 20_000
/** The topic that says so. */
const LOST = '*'
const HEARTBEAT = 5000
const [RETRY_MIN, RETRY_MAX] = [100, 2000]

export interface ListeningChannel extends Channel {
  /** To all processes, this one too. */
  tell(topic: string, item: string): void
  /** Resolves when it listens. */
  open(): Promise<void>
  close(): Promise<void>
}

/** LISTEN and NOTIFY on one connection, which is made anew whenever it breaks. */
export function createChannel(
  options: ConnectionOptions,
  onTrouble: (message: string, error: unknown) => void,
): ListeningChannel {
  const listeners = new Map<string, ((items: readonly string[]) => void)[]>()
  const gapListeners: (() => void)[] = []
  let waiting = new Map<string, Set<string>>()
  let connection: Connection | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const tellGap = (): void => gapListeners.forEach((listener) => listener())

  function receive(payload: string): void {
    const [topic = '', ...items] = payload.split(',')
    if (topic === LOST) tellGap()
    else listeners.get(topic)?.forEach((listener) => listener(items))
  }

  async function connect(): Promise<void> {
    const made = new Connection(options)
    try {
      await made.connect()
      made.on('notification', ({ processId, payload = '' }) => {
        if (processId !== (made as unknown as { processID: number }).processID) receive(payload)
      })
      await made.query(`listen ${NAME}`)
    } catch (error) {
      await made.end().catch(() => {})
      throw error
    }
    connection = made
    const beat = setInterval(() => void made.query('select 1').catch(() => made.end()), HEARTBEAT)
    made.once('end', () => {
      clearInterval(beat)
      connection = undefined
      if (!closed) void reconnect()
    })
    if (closed) await made.end()
    else if (waiting.size > 0) flush()
  }

  async function reconnect(): Promise<void> {
    let told = false
    for (let wait = RETRY_MIN; !closed; wait = Math.min(wait * 2, RETRY_MAX)) {
      try {
        await connect()
        tellGap()
        return
      } catch (error) {
        if (!told) onTrouble('Events of other nodes wait for the database', error)
        told = true
        await pause(wait)
      }
    }
  }

  function flushSoon(milliseconds: number): void {
    if (connection) timer ??= setTimeout(flush, milliseconds)
  }

  /** What could not be sent waits for the next try, or the next connection. */
  function flush(): void {
    timer = undefined
    const sender = connection
    if (!sender) return
    const due = waiting
    waiting = new Map()
    for (const [topic, items] of due) {
      for (const part of parts([...items])) {
        const payload = [topic, ...part].join(',')
        sender.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: [NAME, payload] }).catch(() => {
          for (const item of part) keep(topic, item)
          flushSoon(RETRY_MIN)
        })
      }
    }
  }

  function keep(topic: string, item: string): void {
    const items = waiting.get(topic) ?? new Set()
    waiting.set(topic, items)
    if (items.size >= WAITING_MAX) waiting = new Map([[LOST, new Set(['all'])]])
    else items.add(item)
  }

  function send(topic: string, item: string): void {
    keep(topic, item)
    flushSoon(GATHER)
  }

  return {
    send,
    tell(topic, item) {
      send(topic, item)
      listeners.get(topic)?.forEach((listener) => listener([item]))
    },
    onItems: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    onGap: (listener) => void gapListeners.push(listener),
    open: connect,
    async close() {
      closed = true
      clearTimeout(timer)
      if (connection) flush()
      await connection?.end()
    },
  }
}

/** As many as fit into one notification, topic and commas included. */
function* parts(items: string[]): Generator<string[]> {
  let part: string[] = []
  let length = 0
  for (const item of items) {
    if (length + item.length + 1 > PAYLOAD_MAX) {
      yield part
      part = []
      length = 0
    }
    part.push(item)
    length += item.length + 1
  }
  if (part.length > 0) yield part
}
