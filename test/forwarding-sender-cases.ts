import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ForwardingRow } from '#core/forwarding.ts'
import { messageIds } from '#core/message-id.ts'
import type { Logger } from '#core/ports.ts'
import { loadConfig } from '#config/load.ts'
import type { OpenAddress } from '#features/addresses.ts'
import { createIsOurs, destinationKey, sealRoute } from '#features/forwarding-destination.ts'
import type { ForwardingWay } from '#features/forwarding.ts'
import type { ForwardingQueue } from '#features/forwarding-queue.ts'
import type { ForwardingReports } from '#features/forwarding-reports.ts'
import { randomId } from '#features/subscriber.ts'
import { newDkimKey } from '#mail/forwarding/dkim-key.ts'
import { createMarks } from '#mail/forwarding/mark.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { assembleForwardingSender } from '../src/assembly-forwarding-sender.ts'
import { startDnsServer, type Zone } from './dns-server.ts'
import { openKeptCases } from './kept-cases.ts'
import { startRelay } from './relay.ts'
import { DAY, type HouseOptions, HOUR } from './use-cases.ts'

/** Mails an hour to one destination, and a day. */
export const PER_HOUR = 6
export const PER_DAY = 8
export const MAX_BYTES = 4096
export const MAX_HOPS = 5
export const BOUNCES = 3
export const AT_ONCE = 6
export const PER_DESTINATION = 2
const LINK = 24 * HOUR
/** Takes its time, and is the same for all houses. */
const dkimKey = newDkimKey()

/** Sends for himself, and says so. */
export const SENDER_ZONE: Zone = {
  'sender.example TXT': ['v=spf1 ip4:192.0.2.1 -all'],
  '_dmarc.sender.example TXT': ['v=DMARC1; p=reject'],
}

export interface SenderCasesOptions extends HouseOptions {
  zone?: Zone
  way?: ForwardingWay
  /** Whether nobody sends until a node is started. */
  idle?: boolean
  /** How long the relay may take for a mail; a mail that it takes later is sent twice. */
  relaySeconds?: number
}

export type SenderCases = Awaited<ReturnType<typeof openSenderCases>>

/** Forwarding over a real database, a real relay, a real name server, and a clock that the test turns. */
export async function openSenderCases({
  zone = {},
  way = 'relay',
  idle = false,
  relaySeconds = 1,
  ...options
}: SenderCasesOptions = {}) {
  const dns = await startDnsServer({ ...SENDER_ZONE, ...zone })
  const relay = await startRelay()
  const lines: string[] = []
  const log = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
  const logger: Logger = { debug: log, info: log, warn: log, error: log }
  const metrics = createMetrics()
  // Made after the house that it works in.
  const late: { queue?: ForwardingQueue; reports?: ForwardingReports } = {}
  const made = <T>(part: T | undefined): T => {
    if (!part) throw new Error('Not made yet')
    return part
  }
  const house = await openKeptCases({
    dns: { servers: [dns.address], timeout: 5000 },
    forwarding: {
      forwardingQueue: {
        active: (...mail) => made(late.queue).active(...mail),
        queued: (...mail) => made(late.queue).queued(...mail),
        wake: () => made(late.queue).wake(),
      },
      forwardingReports: {
        isReturnPath: (localPart) => made(late.reports).isReturnPath(localPart),
        jobOf: (localPart) => made(late.reports).jobOf(localPart),
        read: (...mail) => made(late.reports).read(...mail),
      },
    },
    ...options,
  })
  const { store, time, wrap, serviceKey } = house
  const config = loadConfig({
    MAYFLY_DATA_DIR: house.directory,
    ...(way === 'relay' ? { MAYFLY_OUTBOUND_URL: relay.url } : {}),
    MAYFLY_OUTBOUND_SECONDS: String(relaySeconds),
    MAYFLY_AUTHENTICATION_SECONDS: '1',
    MAYFLY_DOMAIN_LOOKUP_SECONDS: '1',
    MAYFLY_DNS_SERVERS: dns.address,
    MAYFLY_FORWARD_PER_HOUR: String(PER_HOUR),
    MAYFLY_FORWARD_PER_DAY: String(PER_DAY),
    MAYFLY_FORWARD_MAX_BYTES: String(MAX_BYTES),
    MAYFLY_FORWARD_HOPS_MAX: String(MAX_HOPS),
    MAYFLY_FORWARD_BOUNCES_MAX: String(BOUNCES),
    MAYFLY_FORWARDS_AT_ONCE_MAX: String(AT_ONCE),
    MAYFLY_FORWARDS_PER_DESTINATION_MAX: String(PER_DESTINATION),
  })
  const clock = (): number => time.now
  const signingKey = async (domain: string) => ({ domain, selector: 'mayfly', privateKey: await dkimKey })

  const newNode = () =>
    assembleForwardingSender(config, {
      clock,
      logger,
      metrics,
      key: serviceKey,
      store,
      sealer: house.sealer,
      opener: house.opener,
      reader: house.reader,
      memory: house.memory,
      wrap,
      signingKey,
      way,
      isOurs: createIsOurs(['mayfly.test', 'vip.mayfly.test'], { recipient: async () => undefined }),
      domain: 'mayfly.test',
      stopUrl: (language, token) => `https://mayfly.test/${language}/forwarded?stop=${token}`,
      marks: createMarks(serviceKey),
      places: { free: config.FORWARD_DESTINATIONS, subscription: config.PREMIUM_FORWARD_DESTINATIONS },
    })
  const nodes = [newNode()]
  const first = nodes[0]!
  late.queue = first.forwardingQueue
  late.reports = first.forwardingReports
  if (!idle) first.forwardingSender.start()

  return {
    ...house,
    clock,
    dns,
    relay,
    config,
    metrics,
    lines,
    queue: first.forwardingQueue,
    newMessageId: messageIds(clock, randomBytes),

    /** What another process does beside the first. */
    startNode(): void {
      const node = newNode()
      node.forwardingSender.start()
      nodes.push(node)
    },

    /** A forwarding whose destination has agreed. */
    async forward({ row, address }: OpenAddress, destination: string): Promise<ForwardingRow> {
      const id = randomId()
      const waiting: ForwardingRow = {
        id,
        addressId: row.id,
        destinationKey: destinationKey(wrap, destination),
        sealedDestination: sealRoute(wrap, id, { address, destination }),
        language: 'en',
        state: 'waiting',
        end: null,
        createdAt: time.now,
        confirmedAt: null,
        endsAt: time.now + LINK,
        bounces: 0,
      }
      const tokenHash = randomBytes(32).toString('base64url')
      const limits = { asksPerDay: 100, destinations: 100, rows: 100 }
      const letter = { id: randomId(), sealed: new Uint8Array(), createdAt: time.now }
      await store.forwardings.ask({ ...waiting, tokenHash }, limits, time.now, letter)
      const endsAt = time.now + 7 * DAY
      const terms = { endsAt, addressEndsAt: endsAt, addressHeldUntil: endsAt + 30 * DAY }
      if (!(await store.forwardings.confirm(tokenHash, terms, time.now))) throw new Error('Not confirmed')
      return { ...waiting, state: 'on', confirmedAt: time.now, endsAt }
    },

    /** A free address that forwards there. */
    async forwarded(destination: string) {
      const { open } = await house.addresses.create({})
      return { open, forwarding: await this.forward(open, destination) }
    },

    /** Turns the clock, and lets all nodes look what is due. */
    later(milliseconds: number): void {
      time.now += milliseconds
      for (const { forwardingQueue } of nodes) forwardingQueue.wake()
    },

    /** The files of the outbox. */
    async outbox(): Promise<string[]> {
      const directory = join(house.directory, 'outbox')
      return Promise.all((await readdir(directory)).map((file) => readFile(join(directory, file), 'utf8')))
    },

    outcomes: async ({ row }: OpenAddress) =>
      (await store.forwardingJobs.log(row.id, { limit: 2000 })).map(({ outcome }) => outcome),

    async close(): Promise<void> {
      await Promise.all(nodes.map(({ forwardingSender }) => forwardingSender.stop()))
      await relay.close()
      dns.close()
      await house.close()
    },
  }
}

/** A mail of `sender.example`. */
export const mailOf = (subject: string, { from = 'a@sender.example', head = '', text = 'Hello' } = {}): string =>
  `From: ${from}\r\nTo: someone@mayfly.test\r\nSubject: ${subject}\r\n${head}\r\n${text}\r\n`
