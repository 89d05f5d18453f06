import type { Page, Route } from 'playwright-core'

interface Lost {
  /** Resolves when the server has responded to the request. */
  carriedOut: Promise<number>
  /** Ends the outage. */
  restore(): void
}

/** What fetch sets itself, and pseudo-headers of HTTP/2. */
const OWN = /^(?::|content-length$|host$|connection$)/

/** Forwards a request of the browser to the server and drops the response, so the browser gets neither it nor its cookies. */
async function carryOut(route: Route): Promise<number> {
  const request = route.request()
  const all = Object.entries(await request.allHeaders())
  const response = await fetch(request.url(), {
    method: request.method(),
    headers: Object.fromEntries(all.filter(([name]) => !OWN.test(name))),
    body: request.postData(),
    redirect: 'manual',
  })
  await response.text()
  return response.status
}

/**
 * Loses the response to the next request with this method and path: the server carries it out, but the browser is not told.
 * `outage`: from then on no request reaches the server, until `restore`.
 */
export async function loseResponse(page: Page, method: string, path: string, outage = false): Promise<Lost> {
  const { promise, resolve } = Promise.withResolvers<number>()
  let state: 'before' | 'lost' | 'over' = 'before'
  await page.context().route('**/*', async (route) => {
    const request = route.request()
    if (state === 'before' && request.method() === method && new URL(request.url()).pathname === path) {
      state = outage ? 'lost' : 'over'
      resolve(await carryOut(route))
      return route.abort('connectionreset')
    }
    return state === 'lost' ? route.abort('internetdisconnected') : route.fallback()
  })
  return { carriedOut: promise, restore: () => (state = 'over') }
}
