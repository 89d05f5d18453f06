import { type IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'

/** Pages run their own scripts and styles only, and can't be framed. */
const CSP = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  frameSrc: ["'self'"],
  manifestSrc: ["'self'"],
  workerSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

interface SecurityOptions {
  https: boolean
  hotReload: boolean
  checkoutOrigins: readonly string[]
  styleSource: string | undefined
  scriptSource: string | undefined
}

/** Returns the headers that helmet sets. They are the same for every response, so they are made once. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const request = { method: 'GET' } as IncomingMessage
  const response = new ServerResponse(request)
  helmet(options)(request, response, () => {})
  return response.getHeaders() as Record<string, string>
}

/**
 * Headers that OWASP ASVS 5 (chapter 3) requires. Vite's hot reload needs inline scripts and styles, so there is no CSP
 * with it.
 */
export function secure(
  app: FastifyInstance,
  { https, hotReload, checkoutOrigins, styleSource, scriptSource }: SecurityOptions,
): void {
  // Browsers also apply it to redirects of a form; that of an order leads to the checkout.
  const directives = {
    ...CSP,
    formAction: [...CSP.formAction, ...checkoutOrigins],
    scriptSrc: [...CSP.scriptSrc, ...(scriptSource ? [scriptSource] : [])],
    styleSrc: [...CSP.styleSrc, ...(styleSource ? [styleSource] : [])],
  }
  const headers = headersOf({
    contentSecurityPolicy: hotReload ? false : { useDefaults: false, directives },
    strictTransportSecurity: https && { maxAge: 31_536_000, includeSubDomains: true },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    originAgentCluster: false,
    // Not `no-referrer`: with it, browsers send `Origin: null` with our own forms.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), browsing-topics=()')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
