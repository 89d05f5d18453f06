import { MayflyError, type MessageSummary } from '@mayfly/client'
import { browser } from '../browser.ts'
import { addressesOf, inboxOf, isAlive } from '../state/addresses.ts'
import { AWAITED_FOR, sitesOf } from '../state/fills.ts'
import { changeState, type Held, isSame, readState, type State } from '../state/state.ts'
import { makeOffer } from './offers.ts'

/** How long the service holds a request, in seconds. Browsers stop a background that is quiet for 30 seconds. */
const HOLD = 20
/** Minutes between looks at addresses that were filled in earlier. */
const LOOK_EVERY = 5
const EXTEND_EVERY = 6 * 60
/** The clocks of the service and of this machine may differ by this much, in milliseconds. */
const CLOCKS_DIFFER = 60_000
/** The most addresses that are looked at. */
const MOST = 5

const ALARMS = { await: 0.5, look: LOOK_EVERY, extend: EXTEND_EVERY }
export type Alarm = keyof typeof ALARMS

export async function setAlarm(name: Alarm): Promise<void> {
  if (!(await browser.alarms.get(name))) await browser.alarms.create(name, { periodInMinutes: ALARMS[name] })
}

/** The addresses that were filled in since a time, the latest first. */
function filledSince(state: State, since: number): Held[] {
  const addresses = state.fills
    .filter(({ at }) => at > since)
    .toReversed()
    .map(({ address }) => address)
  return [...new Set(addresses)]
    .flatMap((address) => addressesOf(state).find((each) => each.address === address) ?? [])
    .slice(0, MOST)
}

/** Looks for new messages of an address, and waits for one if there is none. */
async function look(held: Held, wait: number): Promise<void> {
  const { seen } = await readState()
  const after = seen[held.address]
  const inbox = await inboxOf(held)
  const { messages } = await inbox.messages({ wait, ...(after ? { after } : {}) })
  const [newest] = messages
  if (!newest) return
  await changeState((now) => {
    // The address may have been forgotten while the service held the request.
    if (now.held.some((each) => isSame(each, held))) now.seen[held.address] = newest.id
  })
  // The address may have been filled in while the service held the request.
  const state = await readState()
  const isNew = (message: MessageSummary): boolean =>
    sitesOf(state, held.address, message).some(({ at }) => Date.parse(message.receivedAt) > at - CLOCKS_DIFFER)
  const useful = messages.find((each) => (each.code !== null || each.link !== null) && isNew(each))
  if (useful) await makeOffer(useful, held.address)
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
    // Without a connection, or when the address has expired, the alarm tries again.
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

/** Extends the addresses of sites. One that has expired is created again when its site is used. */
export async function extendAddresses(): Promise<void> {
  const ofSites = addressesOf(await readState()).filter(({ site }) => site !== null)
  for (const held of ofSites) {
    try {
      await isAlive(held)
    } catch (error) {
      if (!(error instanceof MayflyError)) return
    }
  }
}
