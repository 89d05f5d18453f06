/** A client of the HTTP API for tests: fetch with the secret of one address. */
export interface ApiClient {
  address: string
  secret: string
  get(path: string, headers?: Record<string, string>): Promise<Response>
  json<T = any>(path: string): Promise<T>
  send(method: string, path: string, body?: unknown): Promise<Response>
}

/** Creates an address through the API. Rejects with the problem if it is refused. */
export async function createAddress(url: string, request: object = {}, secret?: string): Promise<ApiClient> {
  const response = await call(url, 'POST', '/api/v1/addresses', request, secret)
  const body: any = await response.json()
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(body)}`)
  return clientOf(url, body.address, body.secret)
}

export function clientOf(url: string, address: string, secret: string): ApiClient {
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url + path, { headers: { authorization: `Bearer ${secret}`, ...headers } })
  return {
    address,
    secret,
    get,
    json: async (path) => (await get(path)).json() as any,
    send: (method, path, body) => call(url, method, path, body, secret),
  }
}

export function call(url: string, method: string, path: string, body?: unknown, secret?: string): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: {
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
