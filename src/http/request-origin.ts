import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import { hostNameOf, isLocalHost, isLocalSite } from '#core/local-site.ts'
import { isLoopback } from '#core/networks.ts'
import { POLICY_PATH } from '#features/operating/index.ts'
import { sendProblem } from './errors.ts'
import type { HttpOptions } from './options.ts'

type Site = Pick<HttpOptions, 'publicUrl'>

/** What a proxy or tunnel says about a request that it forwards. */
const PASSED_ON = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
]
/**
 * Requested by IP address or any other name: health checks by load balancers, and policies by senders, whose route
 * knows its hosts.
 */
export const ANY_HOST: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz', POLICY_PATH])

const HOW_TO_KNOW =
  'Its operator sets MAYFLY_PUBLIC_URL to the address that visitors use, and lets the proxy pass the Host header on'

/**
 * Whether a request comes from a program or a browser on this machine, and not from a page of another site. Features
 * for local use depend on this, because a site may be public without its settings saying so.
 */
export function isLocalRequest({ headers, raw }: FastifyRequest, { publicUrl }: Site): boolean {
  const { origin } = headers
  return (
    isLocalSite(publicUrl) &&
    raw.url?.startsWith('/') === true &&
    isLoopback(raw.socket.remoteAddress ?? '') &&
    PASSED_ON.every((name) => headers[name] === undefined) &&
    isLocalHost(hostNameOf(headers.host ?? '') ?? '') &&
    // Browsers send no Origin header with GET requests for images and links.
    (origin === undefined ? headers['sec-fetch-site'] !== 'cross-site' : URL.canParse(origin) && isLocalSite(origin))
  )
}

/**
 * Whether the visitor uses https: by the settings, or by what the proxy in front of the site and the browser's origin
 * say.
 */
export const isSecureRequest = ({ protocol, headers }: FastifyRequest, { publicUrl }: Site): boolean =>
  publicUrl.startsWith('https:') || (protocol === 'https' && !/^http:/i.test(headers.origin ?? ''))

/**
 * The host that a request names in its header, or in an absolute URL as its target. Responses never repeat the latter.
 */
const askedHost = ({ raw, headers }: FastifyRequest): string | undefined =>
  headers.host ?? (raw.url?.startsWith('/') ? undefined : URL.parse(raw.url ?? '')?.host)

/**
 * Refuses requests for hosts other than the site's (RFC 9110 15.5.20). A foreign name that points here would turn our
 * page into one of that site, and a name that is missing in the settings makes links and cookies wrong.
 * `X-Forwarded-Host` counts if the proxy that sends it is trusted and the site is not on localhost: there it would come
 * from a script in a browser on this machine, and that browser would count as a proxy. A request without a host, which
 * HTTP/1.0 allows, is accepted.
 */
export function refuseUnknownHosts(app: FastifyInstance, site: Site): void {
  function problemOf(request: FastifyRequest): MayflyError | undefined {
    const { raw, routeOptions } = request
    const named = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
    if (named.length > 1) return new MayflyError('invalid_request', 'The request has two Host headers')
    const asked = askedHost(request)
    if (ANY_HOST.has(routeOptions.url) || asked === undefined) return undefined
    const own = hostNameOf(new URL(site.publicUrl).host)
    const host = hostNameOf(asked)
    if (host !== undefined && (host === own || isLocalHost(host))) return undefined
    const isPassedOn = request.headers['x-forwarded-host'] !== undefined && !isLocalSite(site.publicUrl)
    return isPassedOn && hostNameOf(request.host) === own ? undefined : new MayflyError('host_unknown', HOW_TO_KNOW)
  }

  // Runs after the limits and after the whole request has arrived, so that an incomplete request is reported as such.
  app.addHook('preValidation', async (request: FastifyRequest, reply: FastifyReply) => {
    const problem = problemOf(request)
    return problem && sendProblem(reply, problem)
  })
}
