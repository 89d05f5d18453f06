import { createInbox, type Inbox, MayflyError, openInbox } from '@mayfly/client'
import { accountOf, forgetAccount } from './account.ts'
import { fetchAwaited } from './service-fetch.ts'
import { changeHeld, changeState, dropHeld, type Held, isSame, readState, type State } from './state.ts'

/** Random characters after the name of a site: 36^6 names, so that nobody guesses one. */
const RANDOM_CHARACTERS = 6
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Codes of a name that nobody can have, or that somebody has. Services may stop offering a domain. */
const REFUSED_NAMES = new Set(['address_taken', 'login_invalid', 'login_reserved', 'domain_unknown'])

type Fetch = typeof globalThis.fetch

const heldOf = (state: State): Held[] => state.held.filter(({ service }) => service === state.settings.service)

/** The address that is filled in where a site has none of its own. */
function currentOf(state: State): Held | undefined {
  const address = state.current[state.settings.service]
  return heldOf(state).find((each) => each.address === address)
}

export const addressesOf = heldOf

/**
 * Returns the address that a fill uses on a site. Subscribers who want an address for each site get that of the site, others
 * the current one. If there is none, it is the address that was filled in there last. Undefined if a fill creates one.
 */
function addressFor(state: State, origin: string): Held | undefined {
  const all = heldOf(state)
  const last = state.fills.findLast((fill) => fill.origin === origin)?.address
  const filled = all.find(({ address }) => address === last)
  if (usesOwn(state)) return all.find(({ site }) => site === origin) ?? filled
  return currentOf(state) ?? filled ?? all.find(({ site }) => site === null)
}

/** The address that the popup shows first: the one that a fill uses, or any other if a fill creates one. */
export const addressShown = (state: State, origin: string): Held | undefined =>
  addressFor(state, origin) ?? currentOf(state) ?? heldOf(state)[0]

const usesOwn = (state: State): boolean => state.settings.perSite && accountOf(state) !== null

/** The client of an address. */
const inboxOf = ({ service, address, secret }: Held, fetch: Fetch): Promise<Inbox> =>
  openInbox(secret, { url: service, address, fetch })

/** A name that starts with that of the site, such as `shop-example.k3x9ab`. */
function loginFor(origin: string): string {
  const site = new URL(origin).hostname
    .replace(/^www\./, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
  const random = [...crypto.getRandomValues(new Uint32Array(RANDOM_CHARACTERS))]
  return `${site}.${random.map((each) => ALPHABET[each % ALPHABET.length]).join('')}`
}

interface Wanted {
  login?: string | undefined
  domain?: string | undefined
  site?: string | null
  previousSecret?: string | undefined
  /** The address to forget once the new one exists. */
  instead?: Held | undefined
}

/**
 * Creates an address. Without `site` it becomes the current one. The domain of the settings is not used while the service
 * does not offer it. Throws `MayflyError`; with `key_invalid`, the extension has forgotten the connection.
 */
export async function createAddress({ site = null, instead, ...wanted }: Wanted = {}): Promise<Held> {
  const state = await readState()
  const { service, domain } = state.settings
  const account = accountOf(state)
  const create = (chosen: string): Promise<Inbox> =>
    createInbox({
      url: service,
      fetch: fetchAwaited,
      ...(wanted.login === undefined ? {} : { login: wanted.login }),
      ...(chosen === '' ? {} : { domain: chosen }),
      ...(account === null ? {} : { apiKey: account.token }),
      ...(wanted.previousSecret === undefined ? {} : { previousSecret: wanted.previousSecret }),
    })
  const created =
    wanted.domain === undefined
      ? create(domain).catch((error: unknown) => {
          if (domain !== '' && error instanceof MayflyError && error.code === 'domain_unknown') return create('')
          throw error
        })
      : create(wanted.domain)
  const { address, secret } = await created.catch(async (error: unknown) => {
    if (account && error instanceof MayflyError && error.code === 'key_invalid') await forgetAccount(account)
    throw error
  })
  const held: Held = { service, address, secret, createdAt: Date.now(), site, label: null }
  await changeState((now) => {
    if (instead) dropHeld(now, instead)
    now.held = [...now.held.filter((each) => !isSame(each, held)), held]
    if (site === null) now.current[service] = address
  })
  return held
}

/** Creates the address of a site, which is named after it. An address that has expired is created again. */
async function createFor(origin: string, expired: Held | undefined): Promise<Held> {
  if (expired) {
    const [login, domain] = expired.address.split('@')
    const again = await unlessRefused(createAddress({ login, domain, site: origin, previousSecret: expired.secret }))
    if (again) return again
  }
  const wanted = { site: origin, instead: expired }
  return (await unlessRefused(createAddress({ ...wanted, login: loginFor(origin) }))) ?? createAddress(wanted)
}

async function unlessRefused(created: Promise<Held>): Promise<Held | undefined> {
  try {
    return await created
  } catch (error) {
    if (error instanceof MayflyError && REFUSED_NAMES.has(error.code)) return undefined
    throw error
  }
}

const isUnauthorized = (error: unknown): boolean => error instanceof MayflyError && error.code === 'unauthorized'

/**
 * Asks the service about an address. Notes if it no longer accepts the secret. An address of the account has not expired
 * then: `secret_replaced` says that its new secret comes with the next connection.
 */
export async function ask<Result>(
  held: Held,
  call: (inbox: Inbox) => Promise<Result>,
  fetch: Fetch = globalThis.fetch,
): Promise<Result> {
  try {
    return await call(await inboxOf(held, fetch))
  } catch (error) {
    if (!isUnauthorized(error)) throw error
    await changeHeld(held, (now) => (now.refused = true))
    if (held.label === null) throw error
    const title = 'The secret of the kept address was replaced'
    throw new MayflyError({ type: 'about:blank', title, status: 401, code: 'secret_replaced' })
  }
}

/** Whether an address still exists. Asking extends it. Throws `secret_replaced`. */
export async function isAlive(held: Held): Promise<boolean> {
  try {
    await ask(held, (inbox) => inbox.state(), fetchAwaited)
    return true
  } catch (error) {
    if (isUnauthorized(error)) return false
    throw error
  }
}

/** The address to fill in on a site, created if there is none. Two fields that ask at once get the same one. */
export async function provideAddress(origin: string): Promise<Held> {
  return navigator.locks.request('provide', () =>
    provideNow(origin).catch((error: unknown) => {
      // The key was revoked. Without it there is the current address.
      if (error instanceof MayflyError && error.code === 'key_invalid') return provideNow(origin)
      throw error
    }),
  )
}

async function provideNow(origin: string): Promise<Held> {
  const state = await readState()
  const held = addressFor(state, origin)
  if (held && (await isAlive(held))) return held
  if (usesOwn(state)) return createFor(origin, held?.site === origin ? held : undefined)
  // The address of a site is created again when the site is used.
  return createAddress({ instead: held?.site === null ? held : undefined })
}

/** Creates an address if there is none, not even one that a page has just got. */
export const provideFirst = (): Promise<void> =>
  navigator.locks.request('provide', async () => {
    if (heldOf(await readState()).length === 0) await createAddress()
  })

/** Removes an address from the extension. It stays on the service. */
export const forget = (held: Held): Promise<void> => changeState((state) => dropHeld(state, held))

/** Deletes an address and its messages from the service too. Throws `secret_replaced`. */
export async function remove(held: Held): Promise<void> {
  try {
    await ask(held, (inbox) => inbox.delete(), fetchAwaited)
  } catch (error) {
    if (!isUnauthorized(error)) throw error
  }
  await forget(held)
}
