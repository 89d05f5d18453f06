import { setTimeout } from 'node:timers/promises'

interface Signed {
  body: string
  headers: Record<string, string>
}

interface DeliveryOptions {
  /** Number of concurrent copies. */
  copies?: number
  /** Milliseconds before it is sent. */
  delay?: number
}

/** How third parties send events: signed, and retried until they are accepted. */
export interface Deliveries<Event> {
  /** Sets where events are sent automatically; undefined: only what the test sends itself. */
  eventUrl: string | undefined
  /** Every event so far, oldest first. */
  events: Event[]
  add(event: Event): void
  /** Sends an event. Returns the statuses of all copies. */
  deliver(event: Event, options?: DeliveryOptions & { url?: string }): Promise<number[]>
  /** Resolves when all automatic deliveries were accepted. Rejects if one was given up. */
  delivered(): Promise<void>
}

/** Attempts, and milliseconds between them. Real third parties wait for minutes. */
const TRIES = 20
const PAUSE = 50

export function createDeliveries<Event>(sign: (event: Event) => Signed): Deliveries<Event> {
  let underway = Promise.resolve()
  let failed = ''

  const send = async (url: string, event: Event): Promise<number> => {
    const { body, headers } = sign(event)
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    await response.body?.cancel()
    return response.status
  }

  async function sendUntilTaken(url: string, event: Event): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      if ((await send(url, event).catch(() => 0)) === 200) return
      await setTimeout(PAUSE)
    }
    failed = url
  }

  const deliveries: Deliveries<Event> = {
    eventUrl: undefined,
    events: [],
    add(event) {
      deliveries.events.push(event)
      const url = deliveries.eventUrl
      if (url === undefined) return
      underway = underway.then(() => sendUntilTaken(url, event))
    },
    async deliver(event, { copies = 1, delay = 0, url = deliveries.eventUrl ?? '' } = {}) {
      if (delay > 0) await setTimeout(delay)
      return Promise.all(Array.from({ length: copies }, () => send(url, event)))
    },
    async delivered() {
      await underway
      if (failed) throw new Error(`${failed} does not take its events`)
    },
  }
  return deliveries
}
