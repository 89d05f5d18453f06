import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import cookie from '@fastify/cookie'
import fastifyStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { sharedSchemas } from '#contract/shared.ts'
import { MayflyError } from '#core/errors.ts'
import { createAccountAuth } from './auth/account-auth.ts'
import { createAuth } from './auth/auth.ts'
import { createEarlierAddresses } from './auth/earlier-addresses.ts'
import { createKeyAuth, type KeyAuth } from './auth/key-auth.ts'
import { lazySerializers, lazyValidators } from './compilers.ts'
import type { RouteContext } from './context.ts'
import { allowCors } from './cors.ts'
import { acceptEmptyJson } from './empty-json.ts'
import { answerClientError, answerFrameworkError, errorHandler, sendProblem } from './errors.ts'
import { limitConnections } from './limits/connections.ts'
import { isHeld } from './limits/held.ts'
import { OpenCounts, takeOrThrow } from './limits/limits.ts'
import { createBuckets, type Rate } from './limits/rates.ts'
import { shareLimits } from './limits/shared-limits.ts'
import { warnOfUnnamedClients } from './limits/unnamed-clients.ts'
import { limitUnread } from './limits/unread-responses.ts'
import { openApi } from './openapi/openapi.ts'
import type { HttpDeps, HttpOptions } from './options.ts'
import { errorPages } from './pages/error-page.ts'
import { routableUrl } from './pages/page-request.ts'
import { createPageTokens } from './pages/page-tokens.ts'
import { isLocalRequest, refuseUnknownHosts } from './request-origin.ts'
import { accountRoutes } from './routes/account/account.ts'
import { apiKeyRoutes } from './routes/account/api-keys.ts'
import { keptAddressRoutes } from './routes/account/kept-addresses.ts'
import { actionRoutes } from './routes/actions.ts'
import { orderRoutes } from './routes/billing/orders.ts'
import { paymentEventRoutes } from './routes/billing/payment-events.ts'
import { sandboxRoutes } from './routes/billing/sandbox.ts'
import { compatPrefix, registerCompat } from './routes/compat/compat.ts'
import { forwardedRoutes } from './routes/forwarding/forwarded.ts'
import { forwardingRoutes } from './routes/forwarding/forwarding.ts'
import { addressRoutes, sessionRoutes } from './routes/mailbox/addresses.ts'
import { checkRoutes } from './routes/mailbox/checks.ts'
import { deliveryRoutes } from './routes/mailbox/deliveries.ts'
import { domainRoutes } from './routes/mailbox/domains.ts'
import { eventRoutes } from './routes/mailbox/events.ts'
import { faultRoutes } from './routes/mailbox/faults.ts'
import { frameRoutes, PROXY_PATH } from './routes/mailbox/frame.ts'
import { messageRoutes } from './routes/mailbox/messages.ts'
import { pushRoutes } from './routes/mailbox/push.ts'
import { healthRoutes } from './routes/operating/health.ts'
import { mtaStsRoutes } from './routes/operating/mta-sts.ts'
import { supportRoutes } from './routes/operating/support.ts'
import { ownDomainRoutes } from './routes/own-domains.ts'
import { privateAddressRoutes } from './routes/private/addresses.ts'
import { privateDeliveryRoutes } from './routes/private/deliveries.ts'
import { documentRoutes } from './routes/site/document.ts'
import { extensionRoutes } from './routes/site/extension.ts'
import { manifestRoutes } from './routes/site/manifest.ts'
import { pageRoutes } from './routes/site/pages.ts'
import { referenceRoutes } from './routes/site/reference.ts'
import { siteRoutes } from './routes/site/site.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { secure } from './security.ts'
import { createHeartbeats } from './streams/heartbeats.ts'
import { refuseUnknown } from './unknown-calls.ts'
import { refuseUnknownParameters } from './unknown-parameters.ts'

const API_PREFIX = '/api/v1'
/**
 * Requested by machines of the operator and of payment providers, not by visitors. Payment events have a rate limit of
 * their own.
 */
const UNLIMITED = /^\/(?:livez|readyz|webhooks\/\w+)$/
/** Files of the build. Pages ask for `builds` to find out whether the server responds. */
const FILES = /^\/(?:assets|messages|pdf|builds)\//

/**
 * The HTTP side: pages, API and live events. Closing it ends streams and held responses at once and lets the others
 * finish.
 */
export async function createApp(options: HttpOptions, deps: HttpDeps): Promise<FastifyInstance> {
  const stopping = new AbortController()
  const earlier = createEarlierAddresses(options, deps.clock)
  const auth = createAuth(
    { earlier, addresses: deps.addresses, kept: deps.keptAddresses, signedIn: (request) => account.find(request) },
    options,
  )
  const account = createAccountAuth(deps.signIn, auth, options)
  // Test programs on this machine do not affect the limits of other clients.
  const isExempt = (name: Rate | 'streams', request: FastifyRequest): boolean =>
    options.exemptLocally.includes(name) && isLocalRequest(request, options)
  const rates = createBuckets(options.rates, isExempt)
  const streams = new OpenCounts(options.maxStreamsPerClient, options.maxStreams, (each) => isExempt('streams', each))
  const keys = createKeyAuth(deps.apiKeys, rates)
  const context: RouteContext = {
    options,
    deps,
    auth,
    earlier,
    account,
    tokens: createPageTokens(options),
    keys,
    rates,
    streams,
    heartbeats: createHeartbeats(options.streamKeepAlive),
    stopping: stopping.signal,
  }
  const app = Fastify({
    logger: false,
    bodyLimit: options.maxBodyBytes,
    forceCloseConnections: 'idle',
    trustProxy: [...options.trustedProxies],
    requestTimeout: options.requestTimeout,
    // Set explicitly, because Node's header timeout must not exceed it. The second value is how often Node checks.
    http: { requestTimeout: options.requestTimeout, connectionsCheckingInterval: options.requestTimeout / 2 },
    // Routes report what is too long themselves. Fastify would respond "not found" before it calls them.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: routableUrl,
    schemaController: { compilersFactory: { buildSerializer: lazySerializers } },
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerClientError,
  })
  app.setValidatorCompiler(lazyValidators(sharedSchemas))
  limitConnections(app.server, options, deps.metrics)
  app.setErrorHandler(errorHandler(deps.logger, errorPages(context)))
  app.addHook('onListen', async () => shareLimits({ ...rates }, deps.channel, deps.limitKey))
  app.addHook('preClose', async () => {
    stopping.abort()
    context.heartbeats.beatAll()
    // Otherwise a request that never completes would delay the stop.
    setTimeout(() => app.server.closeAllConnections(), options.shutdownGrace).unref()
  })
  secure(app, {
    https: options.publicUrl.startsWith('https:'),
    hotReload: options.clientDirectory === undefined,
    checkoutOrigins: options.checkoutOrigins,
    styleSource: options.styleSource,
    scriptSource: options.scriptSource,
  })
  refuseUnknownHosts(app, options)
  await app.register(cookie)
  countRequests(app, deps)
  closeConnectionsWhileDraining(app, deps)
  const prefixes = [API_PREFIX, ...options.compat.map(compatPrefix)]
  const isApi = isUnder(prefixes)
  allowCors(app, prefixes, isApi)
  warnOfUnnamedClients(app, options, deps.logger)
  limitRequests(app, rates, keys, isApi)
  limitUnread(app, (request) => isLocalRequest(request, options))
  for (const schema of sharedSchemas) app.addSchema(schema)
  await app.register(swagger, openApi(deps))
  await app.register(
    async (api) => {
      api.removeContentTypeParser('text/plain')
      acceptEmptyJson(api)
      refuseUnknown(api, sendProblem)
      refuseUnknownParameters(api)
      const all = [
        addressRoutes,
        sessionRoutes,
        messageRoutes,
        checkRoutes,
        deliveryRoutes,
        eventRoutes,
        faultRoutes,
        pushRoutes,
        forwardingRoutes,
        domainRoutes,
        ownDomainRoutes,
        supportRoutes,
        orderRoutes,
        sandboxRoutes,
        accountRoutes,
        apiKeyRoutes,
        webhookRoutes,
        keptAddressRoutes,
        privateAddressRoutes,
        privateDeliveryRoutes,
        documentRoutes,
      ]
      for (const routes of all) routes(api, context)
    },
    { prefix: API_PREFIX },
  )
  await registerCompat(app, context)
  await app.register(async (site) => {
    healthRoutes(site, context)
    paymentEventRoutes(site, context)
    frameRoutes(site, context)
    actionRoutes(site, context)
    forwardedRoutes(site, context)
    siteRoutes(site, context)
    manifestRoutes(site, context)
    mtaStsRoutes(site, context)
    referenceRoutes(site, context)
    extensionRoutes(site, context)
    pageRoutes(site, context)
  })
  if (options.clientDirectory !== undefined) await serveFiles(app, options.clientDirectory)
  app.setNotFoundHandler((_request, reply) => {
    // Pages accept every GET, so a request that gets here wanted something else.
    reply.header('allow', 'GET, HEAD')
    return sendProblem(reply, new MayflyError('method_not_allowed'))
  })
  return app
}

/** Whether a request is below one of the prefixes. A route has priority: a path can be written in many ways. */
const isUnder =
  (prefixes: readonly string[]) =>
  ({ routeOptions, url }: FastifyRequest): boolean =>
    prefixes.some((prefix) => (routeOptions.url ?? url).startsWith(`${prefix}/`))

/**
 * A program with a key has the limits of the key, everybody else those of the IP address. Preflights of browsers (CORS) are
 * free: they carry no key, and a page cannot read why one was refused.
 */
function limitRequests(
  app: FastifyInstance,
  { api, pages, images }: RouteContext['rates'],
  keys: Pick<KeyAuth, 'limit'>,
  isApi: (request: FastifyRequest) => boolean,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url ?? ''
    if (UNLIMITED.test(path) || FILES.test(path)) return
    if (!isApi(request)) takeOrThrow(path === PROXY_PATH ? images : pages, request, reply)
    else if (request.method !== 'OPTIONS' && !(await keys.limit(request, reply))) takeOrThrow(api, request, reply)
  })
}

function countRequests(app: FastifyInstance, { metrics }: HttpDeps): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.count('http_requests', { method: request.method, route, status: String(reply.statusCode) })
    if (!isHeld(request)) metrics.observe('http_request_seconds', reply.elapsedTime / 1000, { route })
  })
}

/**
 * A kept-alive connection could be closed just as a proxy sends a request on it. During a stop, each response asks the
 * client to use another connection. Decided with the response, because a held request can be older than the stop. Event
 * streams always close their connections.
 */
function closeConnectionsWhileDraining(app: FastifyInstance, { draining }: HttpDeps): void {
  app.addHook('onSend', async (_request, reply) => {
    if (draining.aborted) reply.header('connection', 'close')
  })
}

/**
 * Serves the files of the build. Files in some folders have a hash of their content in their names. The other files may
 * change with any deploy. There is one route for each folder, because registering a route for each of hundreds of files
 * takes half a second at the start.
 */
async function serveFiles(app: FastifyInstance, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    acceptRanges: false,
    setHeaders(reply, path) {
      const hashed = /\/(?:assets|messages|builds\/meta)\//.test(path)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'))
  const files = new Set(paths.filter((path) => !/\.(?:br|gz)$/.test(path)))
  const routes = new Set([...files].map((path) => (path.includes('/') ? `/${path.split('/', 1)[0]}/*` : `/${path}`)))
  for (const url of routes) {
    const start = url.slice(1).replace('*', '')
    app.route<{ Params: { '*'?: string } }>({
      method: ['HEAD', 'GET'],
      url,
      schema: { hide: true },
      async handler({ params }, reply) {
        const path = start + (params['*'] ?? '')
        if (!files.has(path)) throw new MayflyError('not_found')
        return reply.sendFile(path)
      },
    })
  }
}
