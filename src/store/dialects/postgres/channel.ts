import { setTimeout as pause } from 'node:timers/promises'
import type { Channel } from '#core/events.ts'
import { Connection, type ConnectionOptions } from './connections.ts'

const NAME = 'mayfly'
/**
 * How long items are batched, in milliseconds: each notification is a commit, and all commits with notifications in the
 * database are serialized.
 */
const GATHER = 5
/** Maximum payload in bytes: PostgreSQL accepts less than 8,000. */
const PAYLOAD_MAX = 7900
/**
 * How many items wait while the database is unreachable. With more, the other processes are notified that they missed
 * some.
 */
const WAITING_MAX = 20_000
/** The topic of that notification. */
const LOST = '*'
const HEARTBEAT = 5000
const [RETRY_MIN, RETRY_MAX] = [100, 2000]

export interface ListeningChannel extends Channel {
  /** Sends an item to all processes, including this one. */
  tell(topic: string, item: string): void
  /** Resolves when the channel listens. */
  open(): Promise<void>
  close(): Promise<void>
}

/** Creates a channel on LISTEN and NOTIFY. It uses one connection, which it reopens whenever it breaks. */
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

  const notifyGap = (): void => gapListeners.forEach((listener) => listener())

  function receive(payload: string): void {
    const [topic = '', ...items] = payload.split(',')
    if (topic === LOST) notifyGap()
    else listeners.get(topic)?.forEach((listener) => listener(items))
  }

  async function connect(): Promise<void> {
    const opened = new Connection(options)
    try {
      await opened.connect()
      opened.on('notification', ({ processId, payload = '' }) => {
        if (processId !== (opened as unknown as { processID: number }).processID) receive(payload)
      })
      await opened.query(`listen ${NAME}`)
    } catch (error) {
      await opened.end().catch(() => {})
      throw error
    }
    connection = opened
    const beat = setInterval(() => void opened.query('select 1').catch(() => opened.end()), HEARTBEAT)
    opened.once('end', () => {
      clearInterval(beat)
      connection = undefined
      if (!closed) void reconnect()
    })
    if (closed) await opened.end()
    else if (waiting.size > 0) flush()
  }

  async function reconnect(): Promise<void> {
    let reported = false
    for (let wait = RETRY_MIN; !closed; wait = Math.min(wait * 2, RETRY_MAX)) {
      try {
        await connect()
        notifyGap()
        return
      } catch (error) {
        if (!reported) onTrouble('Events of other nodes wait for the database', error)
        reported = true
        await pause(wait)
      }
    }
  }

  function flushSoon(milliseconds: number): void {
    if (connection) timer ??= setTimeout(flush, milliseconds)
  }

  /** Items that could not be sent wait for the next attempt, or the next connection. */
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

/** Splits items so that each part fits into one notification, including topic and commas. */
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
