import type { FastifyInstance } from 'fastify'
import { createApp } from '../app.ts'
import { perSecond } from '../limits/rates.ts'
import type { HttpDeps, HttpOptions } from '../options.ts'

const UNUSED = perSecond(1)
const options: HttpOptions = {
  publicUrl: 'http://localhost:3000',
  rates: {
    api: UNUSED,
    pages: UNUSED,
    images: UNUSED,
    keys: UNUSED,
    wrongKeys: UNUSED,
    creations: UNUSED,
    logins: UNUSED,
    failedLogins: UNUSED,
    emails: UNUSED,
    signIns: UNUSED,
    orders: UNUSED,
    paymentEvents: UNUSED,
    forwardAsks: UNUSED,
    domainChecks: UNUSED,
    webhookTests: UNUSED,
    linkChecks: UNUSED,
  },
  checkoutOrigins: [],
  styleSource: undefined,
  scriptSource: undefined,
  sandboxIsLocal: false,
  exemptLocally: [],
  maxPaymentEventBytes: 1,
  premiumDestinations: 3,
  maxSupportBytes: 1,
  maxStreamsPerClient: 1,
  maxStreams: 1,
  streamBufferBytes: 1,
  streamKeepAlive: 1,
  streamVisitInterval: 1,
  maxBodyBytes: 1,
  maxPrivateBytes: 1,
  requestTimeout: 1000,
  shutdownGrace: 1000,
  maxConnections: 1,
  maxConnectionsPerClient: 1,
  trustedProxies: [],
  plans: {
    sold: [],
    sandbox: false,
    tax: { percent: 0, added: false },
    currency: 'USD',
    month: 1,
    year: 1,
    cryptoYear: 1,
    cryptoYearsMax: 1,
    addresses: 1,
    storageBytes: 1,
    messageBytes: 1,
  },
  limits: {
    addressHours: 1,
    shortMinutes: 1,
    quarantineDays: 1,
    earlierDays: 1,
    domainFailingDays: 1,
    loginMin: 1,
    loginMax: 1,
    extraDomains: 'none',
  },
  operator: { name: null, address: null, email: null, law: null },
  links: { appStore: null, mobileStore: null, tempNumber: null, advertising: null },
  ads: {},
  clientDirectory: undefined,
  hasSpamFilter: false,
  compat: [],
}

/** All routes without a running service. No handler is called, so none needs its dependencies. */
export async function documentedApp(): Promise<FastifyInstance> {
  const app = await createApp(options, { languages: [] } as unknown as HttpDeps)
  await app.ready()
  return app
}

/** Returns the OpenAPI document of the routes. */
export async function openApiDocument(): Promise<object> {
  const app = await documentedApp()
  const document = app.swagger()
  await app.close()
  return document
}
