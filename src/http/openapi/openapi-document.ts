import type { FastifyInstance } from 'fastify'
import { createApp } from '../app.ts'
import type { HttpDeps, HttpOptions } from '../options.ts'

const options: HttpOptions = {
  publicUrl: 'http://localhost:3000',
  requestsPerSecond: 8,
  pagesPerSecond: 30,
  addressCreateSeconds: 8,
  addressCreateBurst: 5,
  supportSeconds: 60,
  supportBurst: 3,
  checkoutOrigins: [],
  sandboxIsLocal: false,
  notCountedHere: [],
  orderSeconds: 30,
  orderBurst: 5,
  webhookCallsPerSecond: 50,
  maxWebhookBytes: 1,
  forwardAskSeconds: 30,
  forwardAskBurst: 5,
  premiumDestinations: 3,
  domainCheckSeconds: 5,
  domainCheckBurst: 5,
  signInSeconds: 60,
  signInBurst: 5,
  keyRequestsPerSecond: 50,
  webhookTestSeconds: 5,
  webhookTestBurst: 5,
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
  },
  links: { appStore: null, mobileStore: null, tempNumber: null, advertising: null },
  ads: {},
  clientDirectory: undefined,
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
