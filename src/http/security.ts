import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

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

/**
 * Headers that OWASP ASVS 5 (chapter 3) requires. Vite's hot reload needs inline scripts and styles, so there is no CSP
 * with it.
 */
export async function secure(
  app: FastifyInstance,
  { https, hotReload, checkoutOrigins, styleSource, scriptSource }: SecurityOptions,
): Promise<void> {
  // Browsers also apply it to redirects of a form; that of an order leads to the checkout.
  const directives = {
    ...CSP,
    formAction: [...CSP.formAction, ...checkoutOrigins],
    scriptSrc: [...CSP.scriptSrc, ...(scriptSource ? [scriptSource] : [])],
    styleSrc: [...CSP.styleSrc, ...(styleSource ? [styleSource] : [])],
  }
  await app.register(helmet, {
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
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), browsing-topics=()')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
