import { MayflyError, type MessageList, type MessageSummary } from '@mayfly/client'
import { browser } from '../browser.ts'
import { addressesOf, ask, isAlive } from '../state/addresses.ts'
import { AWAITED_FOR, sitesOf } from '../state/fills.ts'
import { changeHeld, changeState, type Held, isSame, readState, type State } from '../state/state.ts'
import { makeOffer } from './offers.ts'

/** How long the service holds a request, in seconds. Browsers stop a background that is quiet for 30 seconds. */
const HOLD = 20
/** Minutes between checks of addresses that were filled in earlier. */
const LOOK_EVERY = 5
/** Milliseconds between extensions of an address. */
const EXTEND_EVERY = 6 * 60 * 60_000
/** Extended addresses are stored once there are this many. */
const NOTED_AT_ONCE = 10
/** Milliseconds after which they are stored even if there are fewer. */
const NOTED_AFTER = 5000
const TOO_MANY = 429
/** A message counts as later than a fill if its time is earlier by less than this, in milliseconds. */
const TOLERANCE = 60_000
/** The most addresses that are looked at. */
const MAX_ADDRESSES = 5

const ALARMS = { await: 0.5, look: LOOK_EVERY }
type Alarm = keyof typeof ALARMS

export async function setAlarm(name: Alarm): Promise<void> {
  if (!(await browser.alarms.get(name))) await browser.alarms.create(name, { periodInMinutes: ALARMS[name] })
}

/** The addresses that were filled in since a time, the latest first, without those whose secret was refused. */
function filledSince(state: State, since: number): Held[] {
  const addresses = state.fills
    .filter(({ at }) => at > since)
    .toReversed()
    .map(({ address }) => address)
  return [...new Set(addresses)]
    .flatMap((address) => addressesOf(state).find((each) => each.address === address && !each.refused) ?? [])
    .slice(0, MAX_ADDRESSES)
}

/**
 * Returns the messages since the last look. The service refuses the id of a message that it does not know, for example
 * after it lost some of its data: then it is asked for all messages.
 */
async function newMessages(held: Held, wait: number, fetch: typeof globalThis.fetch): Promise<MessageList> {
  const read = (after?: string): Promise<MessageList> =>
    ask(held, (inbox) => inbox.messages({ wait, ...(after === undefined ? {} : { after }) }), fetch)
  if (held.seen === undefined) return read()
  try {
    return await read(held.seen)
  } catch (error) {
    if (!(error instanceof MayflyError && error.code === 'invalid_request')) throw error
    await changeHeld(held, (now) => delete now.seen)
    return read()
  }
}

/** Looks for new messages of an address, and waits for one if there is none. */
async function look(held: Held, wait: number): Promise<void> {
  // How far the clock of this computer is ahead of that of the service, in milliseconds.
  let ahead = 0
  const { messages } = await newMessages(held, wait, async (...args) => {
    const response = await fetch(...args)
    const date = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(date)) ahead = Date.now() - date
    return response
  })
  const [newest] = messages
  if (!newest) return
  await changeHeld(held, (now) => (now.seen = newest.id))
  // The address may have been filled in while the service held the request.
  const state = await readState()
  const isNew = (message: MessageSummary): boolean =>
    sitesOf(state, held.address, message).some(({ at }) => Date.parse(message.receivedAt) + ahead > at - TOLERANCE)
  const useful = messages.filter((each) => (each.code !== null || each.link !== null) && isNew(each))
  // The newest is the last, because a site has one offer.
  for (const message of useful.toReversed()) await makeOffer(message, held.address)
}

const running = new Map<string, Promise<void>>()

/** Waits for messages to one address, for as long as it was filled in recently. */
async function follow(address: string): Promise<void> {
  for (;;) {
    const recent = filledSince(await readState(), Date.now() - AWAITED_FOR)
    const held = recent.find((each) => each.address === address)
    if (!held) return
    await look(held, HOLD)
  }
}

/** Waits for messages to the addresses that were filled in recently. The alarm starts it again if it was stopped. */
export async function awaitMessages(): Promise<void> {
  const recent = filledSince(await readState(), Date.now() - AWAITED_FOR)
  if (recent.length === 0) {
    await browser.alarms.clear('await')
    return
  }
  await setAlarm('await')
  for (const { address } of recent) {
    if (running.has(address)) continue
    // Without a connection the alarm tries again.
    const ended = follow(address).catch(() => {})
    running.set(
      address,
      ended.then(() => void running.delete(address)),
    )
  }
}

/** Looks at the addresses of the last day once. */
export async function lookOnce(): Promise<void> {
  const day = filledSince(await readState(), Date.now() - 24 * 60 * 60_000)
  await Promise.allSettled(day.filter(({ address }) => !running.has(address)).map((held) => look(held, 0)))
}

let extending: Promise<void> | undefined

/** Extends the addresses of sites that are due. One that has expired is created again when its site is used. */
export const extendAddresses = (): Promise<void> =>
  (extending ??= extendDue().finally(() => void (extending = undefined)))

/**
 * The browser may stop the background at any time, so the address that has waited longest comes first, and the next
 * alarm continues. Noting addresses calls an API of the browser, which keeps the background running. Requests do not.
 */
async function extendDue(): Promise<void> {
  const due = addressesOf(await readState())
    .filter((held) => held.site !== null && !held.refused && Date.now() - extendedAt(held) >= EXTEND_EVERY)
    .toSorted((a, b) => extendedAt(a) - extendedAt(b))
  let asked: Held[] = []
  let notedAt = Date.now()
  for (const held of due) {
    try {
      await isAlive(held)
    } catch (error) {
      if (isOutage(error)) break
    }
    asked.push(held)
    if (asked.length < NOTED_AT_ONCE && Date.now() - notedAt < NOTED_AFTER) continue
    await noteExtended(asked)
    asked = []
    notedAt = Date.now()
  }
  if (asked.length > 0) await noteExtended(asked)
}

/** Whether the service can't answer at the moment. The next alarm tries again. */
const isOutage = (error: unknown): boolean =>
  !(error instanceof MayflyError) || error.status >= 500 || error.status === TOO_MANY

const extendedAt = (held: Held): number => held.extendedAt ?? held.createdAt

const noteExtended = (asked: Held[]): Promise<void> =>
  changeState(({ held }) => {
    for (const each of held) if (asked.some((one) => isSame(one, each))) each.extendedAt = Date.now()
  })
