import type { IncomingMessage } from 'node:http'
import { MayflyError } from '#core/errors.ts'
import { CHECKED_LINKS_MAX, type CheckLinks, type LinkStatus } from '#core/mailbox/checks.ts'
import { hostOf, LOCAL_HOST } from './pinned-address.ts'
import { type PublicHosts, redirectOf, RefusedRequest, requestPublic } from './public-request.ts'

export interface LinkCheckOptions extends PublicHosts {
  /** Timeout of one link with its redirects, and of all links of a message, in milliseconds. */
  linkTimeout: number
  timeout: number
  /** Links of one message that are opened at the same time. */
  linksAtOnce: number
  /** Messages whose links are checked at the same time. */
  maxAtOnce: number
}

const MAX_REDIRECTS = 5
/** Longer URLs are not followed. */
const MAX_URL = 4096
const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; link check)',
  accept: '*/*',
  'accept-encoding': 'identity',
}
/** Statuses with which servers answer a HEAD request that they would answer as GET. */
const isRefusedHead = (status: number): boolean => status >= 400
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/

/** Everything on this machine, for links to it in a check that comes from it. */
const LOOPBACK: PublicHosts = {
  allowAddress: (address) => /^(?:127\.|::1$)/.test(address),
  allowPort: () => true,
}

/**
 * Returns a function that opens links, with HEAD and if that fails with GET, and follows their redirects. It never sends
 * cookies, and never connects to private addresses, except that a check from this machine may open links to it.
 */
export function createLinkCheck({
  linkTimeout,
  timeout,
  linksAtOnce,
  maxAtOnce,
  ...hosts
}: LinkCheckOptions): CheckLinks {
  let active = 0

  return async (urls, { local, signal }) => {
    if (active >= maxAtOnce) throw new MayflyError('unavailable', 'Too many links are being checked at the moment')
    active++
    const ended = AbortSignal.any([AbortSignal.timeout(timeout), signal])
    const results: (LinkStatus | undefined)[] = urls.map(() => undefined)
    const waiting = urls.slice(0, CHECKED_LINKS_MAX).entries()
    async function work(): Promise<void> {
      for (const [i, text] of waiting) {
        if (ended.aborted) return
        const own = AbortSignal.any([AbortSignal.timeout(linkTimeout), ended])
        const status = await open(URL.parse(text), own, hosts, local)
        // A link whose time was cut short by the end of the whole check was not checked.
        if (!(ended.aborted && status.result === 'timeout')) results[i] = status
      }
    }
    try {
      await Promise.all(Array.from({ length: linksAtOnce }, work))
      return results
    } finally {
      active--
    }
  }
}

/** Another site must not lead to this machine, so `local` ends with the first link that leads elsewhere. */
async function open(start: URL | null, signal: AbortSignal, hosts: PublicHosts, local: boolean): Promise<LinkStatus> {
  const redirects: LinkStatus['redirects'] = []
  let status: number | null = null
  const ending = (result: LinkStatus['result'], reason: string | null = null): LinkStatus => ({
    result,
    status,
    redirects,
    reason,
  })
  let url = start
  let isHere = local
  try {
    while (url) {
      isHere &&= LOCAL_HOST.test(hostOf(url))
      const response = await answerOf(url, signal, isHere ? LOOPBACK : hosts)
      status = response.statusCode ?? null
      const next = redirectOf(response, url)
      if (!next) return ending(status !== null && status >= 200 && status < 300 ? 'ok' : 'failed')
      if (redirects.length === MAX_REDIRECTS) return ending('failed', `More than ${MAX_REDIRECTS} redirects`)
      if (next.href.length > MAX_URL) return ending('failed', 'The redirect is too long')
      redirects.push({ status: status ?? 0, url: next.href })
      url = next
    }
    return ending('refused', 'Not a URL')
  } catch (error) {
    status = null
    if (signal.aborted) return ending('timeout', 'The host took too long')
    if (error instanceof RefusedRequest) return ending('refused', error.message)
    const isInvalid = CERTIFICATE.test((error as NodeJS.ErrnoException).code ?? '')
    return ending('unreachable', isInvalid ? 'The certificate is not valid' : 'The host could not be reached')
  }
}

/** Returns the head of the response. The body is not read. */
async function answerOf(url: URL, signal: AbortSignal, hosts: PublicHosts): Promise<IncomingMessage> {
  const ask = async (method: 'GET' | 'HEAD'): Promise<IncomingMessage> => {
    const response = await requestPublic(url, { method, headers: HEADERS, signal }, hosts)
    response.on('error', () => {}).destroy()
    return response
  }
  const head = await ask('HEAD').catch((error: unknown) => {
    if (signal.aborted || error instanceof RefusedRequest) throw error
    return undefined
  })
  return head && !isRefusedHead(head.statusCode ?? 0) ? head : ask('GET')
}
