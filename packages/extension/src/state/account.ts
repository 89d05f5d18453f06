import { browser } from '../browser.ts'
import { patternOf } from './page-access.ts'
import { type Account, changeState, clearState, dropHeld, readState, type State } from './state.ts'

/** Timeout of a call, in milliseconds. */
const TIMEOUT = 10_000

/** The connection to a subscription at the chosen service. */
export const accountOf = ({ account, settings }: State): Account | null =>
  account?.service === settings.service ? account : null

const keyed = ({ service, token }: Account, method: string, path: string): Promise<Response> =>
  fetch(`${service}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': token },
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT),
  })

async function isRefused(response: Response): Promise<boolean> {
  if (response.ok) return false
  const { code } = (await response.json().catch(() => ({}))) as { code?: unknown }
  return code === 'key_invalid'
}

/** Revokes the API key on the service. Rejects if the service did not do it. */
export async function revokeKey(account: Account): Promise<void> {
  const response = await keyed(account, 'DELETE', '/key')
  // It may have been revoked in the account already.
  if (!response.ok && !(await isRefused(response))) throw new Error(`The service answered ${response.status}`)
}

/**
 * Removes the API key, and the addresses that came from the account. Those that the extension created with the key stay,
 * because only the extension has their secrets.
 */
export function dropAccount(state: State, { service }: Account): void {
  state.account = null
  if (state.settings.service === service) state.settings.domain = ''
  for (const held of state.held) if (held.label !== null && held.service === service) dropHeld(state, held)
}

/** Forgets the connection, if it is still this one. */
export async function forgetAccount(account: Account): Promise<void> {
  const isForgotten = await changeState((state) => {
    if (state.account?.token !== account.token) return false
    dropAccount(state, account)
    return true
  })
  if (isForgotten) await browser.permissions.remove({ origins: [patternOf(account.service)] }).catch(() => {})
}

/** Ends the connection on both sides. Rejects, and changes nothing, without a connection to the service. */
export async function disconnect(): Promise<void> {
  const { account } = await readState()
  if (!account) return
  await revokeKey(account)
  await forgetAccount(account)
}

/** Forgets the connection if its key is no longer valid: it was revoked in the account, or Premium has ended. */
export async function checkKey(): Promise<void> {
  const { account } = await readState()
  if (account && (await isRefused(await keyed(account, 'GET', '/domains')))) await forgetAccount(account)
}

/**
 * Removes everything from the extension, and returns its access to sites. The key is revoked if the service can be reached.
 * `leavePages` is called while the extension can still reach the pages.
 */
export async function forgetEverything(leavePages: () => Promise<unknown>): Promise<void> {
  const { account } = await readState()
  if (account) await revokeKey(account).catch(() => {})
  await clearState()
  await leavePages()
  const { origins } = await browser.permissions.getAll()
  // The manifest requires none.
  await browser.permissions.remove({ origins: origins ?? [] }).catch(() => {})
}
