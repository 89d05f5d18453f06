import type { ConnectRequest } from '../background/connect.ts'

const LABEL = 'Browser extension'
const TOO_MANY = 429
/** Tries again after 429 at most this often. The service says how long to wait. */
const LIMITED_TRIES = 5

interface KeptAddress {
  id: string
  address: string
  label: string | null
  private: boolean
  alive: boolean
}

interface OwnDomain {
  name: string
  state: string
}

/** A call with the session of the site, which the extension never sees. Waits and repeats after 429. */
async function call<Result>(path: string, body?: object): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`/api/v1/account${path}`, {
      method: body ? 'POST' : 'GET',
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    })
    if (response.ok) return (await response.json()) as Result
    if (response.status !== TOO_MANY || tries === LIMITED_TRIES) throw new Error(`${path} answered ${response.status}`)
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}

/** Who is signed in. */
export const account = (): Promise<{ email: string } | undefined> => call<{ email: string }>('').catch(() => undefined)

/**
 * Gets what the extension needs: an API key of its own, unless `connected` is the account whose key it has, and the
 * secrets of the kept addresses. Rejects if another account than that of `email` is signed in by now.
 */
export async function collect(email: string, connected: string | null): Promise<ConnectRequest> {
  const { addresses } = await call<{ addresses: KeptAddress[] }>('/addresses')
  const readable = addresses.filter((each) => each.alive && !each.private)
  const kept: ConnectRequest['kept'] = []
  // One after the other, because there may be more than the service allows in a second.
  for (const { id, address, label } of readable) {
    const { secret } = await call<{ secret: string }>(`/addresses/${id}/reveal`, {})
    kept.push({ address, secret, label: label ?? '' })
  }
  const { domains } = await call<{ domains: OwnDomain[] }>('/domains')
  const verified = domains.filter(({ state }) => state === 'verified').map(({ name }) => name)
  if ((await account())?.email !== email) throw new Error('Another account is signed in')
  // Last, so that a failure leaves no key behind that nobody has.
  const token = email === connected ? null : (await call<{ token: string }>('/keys', { label: LABEL })).token
  return { type: 'connect', email, token, kept, domains: verified }
}

/**
 * Sends what the extension needs. Returns whether it took it. A key that it refuses is revoked, because nobody has it: the
 * visitor may have clicked in two tabs, too late, or after the service was changed in the options. If the answer is lost,
 * the extension may use the key, so it stays.
 */
export async function connectExtension(
  email: string,
  connected: string | null,
  send: (request: ConnectRequest) => Promise<unknown>,
): Promise<boolean> {
  const request = await collect(email, connected)
  const isTaken = (await send(request)) === true
  if (!isTaken && request.token !== null) await revoke(request.token)
  return isTaken
}

/** The session of the site is not needed. */
const revoke = (token: string): Promise<unknown> =>
  fetch('/api/v1/key', { method: 'DELETE', headers: { 'x-api-key': token }, credentials: 'omit' }).catch(() => {})
