/**
 * How long a request may take in milliseconds, with its response. On a dead connection nothing else ends it for minutes. The
 * server itself waits for up to 40 s for a payment provider.
 */
const TIMEOUT = 60_000

export const timeLimit = (): AbortSignal => AbortSignal.timeout(TIMEOUT)

/** Fetches a JSON file of this site. Throws if there is none. */
export async function fetchJson(path: string): Promise<unknown> {
  const response = await fetch(path, { signal: timeLimit() })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}
