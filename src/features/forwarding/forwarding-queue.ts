import { setTimeout as sleep } from 'node:timers/promises'
import { activeOf, type DestinationLimits } from '#core/forwarding/forwarding-rules.ts'
import type {
  ForwardingJobStore,
  ForwardingRow,
  ForwardingStore,
  HeldMessage,
  MessageForwarding,
} from '#core/forwarding/forwarding.ts'
import type { AddressId } from '#core/ids.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { Sealer } from '#core/mailbox/mail-reader.ts'
import type { NewMessage } from '#core/mailbox/message-store.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, HOUR, MINUTE, SECOND } from '#core/time.ts'
import { type BackOff, waitAfter } from '#lib/back-off.ts'
import { grouped } from '#lib/group-commit.ts'
import { messagePlace } from '#mail/sealing/place.ts'

export interface ForwardingQueue {
  /** Returns the forwardings that apply to a new message of the address. Rejects if the store fails. */
  active(address: RecipientRow): Promise<readonly ForwardingRow[]>
  /**
   * Returns the forwarding jobs to store in the transaction of the message, or undefined if `active` is empty. `body`
   * is the packed body of the message (`packBody`). `mayBeRetracted`: holds the jobs until `release`, or for an hour if the
   * process dies before. Those of a message whose commit may be in doubt are held in the same way, for five minutes. Rejects
   * if the sealer fails.
   */
  queued(
    active: readonly ForwardingRow[],
    message: Pick<NewMessage, 'addressId' | 'id'>,
    body: Uint8Array,
    options?: { mayBeRetracted: boolean },
  ): Promise<MessageForwarding | undefined>
  /**
   * Called when messages with jobs are accepted and no longer retracted. Resolves when the jobs are due, at the latest when
   * their hold ends. Never rejects.
   */
  release(messages: readonly Pick<NewMessage, 'addressId' | 'id' | 'forwarding'>[]): Promise<void>
}

interface ForwardingQueueDeps {
  store: Pick<ForwardingStore, 'list'>
  jobs: Pick<ForwardingJobStore, 'release'>
  sealer: Pick<Sealer, 'seal'>
  /** The public key of the service. The sender of forwarded messages has the private key. */
  publicKey: Uint8Array
  /** Returns a new job id (`messageIds`). */
  newJobId: () => string
  clock: Clock
  destinationLimits: DestinationLimits
  /**
   * Whether a commit may be in doubt. Another node must not forward a message that is then removed, because its sender
   * tries again.
   */
  mayBeInDoubt: boolean
  /** Called when jobs are due. */
  onQueued: () => void
  logger: Logger
  /** Returns a number from 0 up to, but not including, 1. */
  random: () => number
  /** Aborted when the process stops. Held jobs are then released once more. If that fails, they wait until their hold ends. */
  stopping: AbortSignal
}

/**
 * How long the jobs of a message are held, in milliseconds. All copies of one that may be retracted are stored long before.
 * Most interruptions of a network, after which a commit is in doubt, end before.
 */
const HOLD = { retractable: HOUR, inDoubt: 5 * MINUTE }
const MAX_LOOK_UPS = 200
const MAX_RELEASED = 200
/** The inboxes that are released at the same time after a failure. A locked inbox occupies a connection for seconds. */
const INBOXES_AT_ONCE = 2
/** The pauses before a release is repeated. They are short because sign-in codes are valid only for minutes. */
const AGAIN: BackOff = { first: SECOND, longest: 15 * SECOND }

export function createForwardingQueue({ store, sealer, ...deps }: ForwardingQueueDeps): ForwardingQueue & {
  /** Resolves when no release is in progress: after `stopping`, and a last try. */
  settled(): Promise<void>
} {
  // Concurrent messages to one address share a query.
  const list = grouped<AddressId, ForwardingRow[]>(
    async (ids) => {
      const unique = [...new Set(ids)]
      const lists = new Map(await Promise.all(unique.map(async (id) => [id, await store.list(id)] as const)))
      return ids.map((id) => lists.get(id) ?? [])
    },
    { maxItems: MAX_LOOK_UPS },
  )

  // One transaction for each message would keep all connections of a node busy with the releases of one inbox.
  const releaseHeld = grouped<HeldMessage[], void>(
    async (calls) => {
      await deps.jobs.release(calls.flat(), deps.clock())
      return calls.map(() => undefined)
    },
    { maxItems: MAX_RELEASED, maxWeight: MAX_RELEASED, weigh: (held) => held.length },
  )

  /** Resolves with whether each message was released. One transaction for each inbox, so that a locked one delays no other. */
  const releaseByInbox = grouped<HeldMessage, boolean>(
    async (messages) => {
      const released = new Set<HeldMessage>()
      // The loops share this iterator, so each inbox is released by one of them.
      const inboxes = Map.groupBy(messages, ({ addressId }) => addressId).values()
      const releaseSome = async (): Promise<void> => {
        for (const some of inboxes) {
          await deps.jobs.release(some, deps.clock()).then(
            () => some.forEach((each) => released.add(each)),
            () => {},
          )
        }
      }
      await Promise.all(Array.from({ length: INBOXES_AT_ONCE }, releaseSome))
      return messages.map((each) => released.has(each))
    },
    { maxItems: MAX_RELEASED },
  )

  /** Only this node knows that the message is no longer retracted. Another one forwards it when its hold ends. */
  async function releaseAgain(message: HeldMessage): Promise<void> {
    const { clock, random, stopping } = deps
    for (let attempt = 0; clock() < message.heldUntil; attempt++) {
      // Rejects when the process stops.
      await sleep(waitAfter(attempt, AGAIN, random), undefined, { ref: false, signal: stopping }).catch(() => {})
      const isLast = stopping.aborted
      if (await releaseByInbox(message)) return deps.onQueued()
      if (isLast) return
    }
  }

  async function releaseAll(held: HeldMessage[]): Promise<void> {
    try {
      if (held.length > 0) await releaseHeld(held)
      deps.onQueued()
    } catch (error) {
      deps.logger.warn({ err: error }, 'messages are forwarded late: their release failed, and is tried again')
      await Promise.all(held.map(releaseAgain))
    }
  }
  const releasing = new Set<Promise<void>>()

  function holdOf(mayBeRetracted: boolean): number | undefined {
    if (mayBeRetracted) return HOLD.retractable
    return deps.mayBeInDoubt ? HOLD.inDoubt : undefined
  }

  return {
    async active(address) {
      return address.forwards ? activeOf(await list(address.id), address, deps.destinationLimits, deps.clock()) : []
    },
    async queued(active, message, body, { mayBeRetracted } = { mayBeRetracted: false }) {
      if (active.length === 0) return undefined
      const place = messagePlace('forwarding', message)
      const [sealedMail] = await sealer.seal([{ publicKey: deps.publicKey, place, plaintext: body }])
      if (!sealedMail) return undefined
      const jobs = active.map(({ id, destinationKey }) => ({ id: deps.newJobId(), forwardingId: id, destinationKey }))
      const hold = holdOf(mayBeRetracted)
      return { sealedMail, jobs, heldUntil: hold && deps.clock() + hold }
    },
    // Not async: a repetition may take minutes, and must not keep the messages in memory.
    release(messages) {
      const held = messages.flatMap(({ addressId, id, forwarding }) =>
        forwarding?.heldUntil === undefined ? [] : [{ addressId, id, heldUntil: forwarding.heldUntil }],
      )
      const work = releaseAll(held).finally(() => releasing.delete(work))
      releasing.add(work)
      return work
    },
    settled: async () => void (await Promise.all(releasing)),
  }
}

/** The queue of a service that does not forward. */
export const noForwardingQueue: ForwardingQueue = {
  active: async () => [],
  queued: async () => undefined,
  release: async () => {},
}
