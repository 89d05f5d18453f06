import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { HttpDeps } from '../options.ts'
import { completeDocument, LOCALE } from './complete-document.ts'

/**
 * Makes the OpenAPI document, with the figures of the site. Its head is here; paths come from the schemas of the routes,
 * and texts of both mention figures as those in `content/` do.
 */
export const openApi = ({ figures }: Pick<HttpDeps, 'figures'>): FastifyDynamicSwaggerOptions => ({
  refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
  transformObject: (document) =>
    completeDocument('openapiObject' in document ? document.openapiObject : {}, figures(LOCALE)),
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Mayfly API',
      version: '1',
      description:
        'Temporary email addresses. Create an address, keep its secret, and read the messages that arrive: send ' +
        '`Authorization: Bearer SECRET`. You need no account and no API key.\n\n' +
        'Errors are problem documents (RFC 9457, `application/problem+json`) with a stable `code`. Times are RFC 3339 in UTC. ' +
        'Fields may be added to responses.\n\n' +
        'Any call may also get 431 if its headers are too large, and 408 if the request is not complete in time. Both have ' +
        'the code `invalid_request`.\n\n' +
        'Rate limits count for each IP address, or for each API key.' +
        '{rateLimits, select, local { On the computer that runs this service, requests without a key have no limit.} other {}} The headers `RateLimit-Limit`, `RateLimit-Remaining` and ' +
        '`RateLimit-Reset` (in seconds) report the limit of requests. A call with a limit of its own, such as the creation of an ' +
        'address, reports that one. A response with the status 429 has `Retry-After`.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this site' },
    },
    servers: [{ url: '/', description: 'The site that serves this document' }],
    components: {
      securitySchemes: {
        secret: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret of an address. `POST /api/v1/addresses` returns it.',
        },
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description:
            'An API key of a Premium subscription. Optional: a request with a key has the limits of the key: ' +
            '{keyRequests, plural, one {# request} other {# requests}} a second, and {keyStreams, plural, one {# open event stream or ' +
            'waiting request} other {# open event streams and waiting requests}}. It does not replace the secret.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-mayfly_secret',
          description: 'The cookie of the pages of this site. On a site without https: `mayfly_secret`.',
        },
        account: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-mayfly_account',
          description: 'The cookie of a signed-in subscriber. On a site without https: `mayfly_account`.',
        },
      },
    },
    // Calls to the servers of subscribers. OpenAPI 3.1 calls these webhooks as well.
    webhooks: {
      message: {
        post: {
          operationId: 'webhookMessage',
          tags: ['Messages'],
          summary: 'A message arrived',
          description:
            'Mayfly posts this to your webhooks when a message arrives at an address of the subscription, and as a test. The headers ' +
            '`webhook-id`, `webhook-timestamp` and `webhook-signature` follow Standard Webhooks. Respond with 2xx to confirm it, or with ' +
            '410 to remove the webhook. Any other response, also a redirect, is repeated for 24 hours with the same id.',
          security: [{}],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookEvent' } } },
          },
          responses: { '2XX': { description: 'Confirmed' }, '410': { description: 'Remove the webhook' } },
        },
      },
    },
    tags: [
      { name: 'Addresses', description: 'Create and delete addresses' },
      { name: 'Messages', description: 'Read what arrives' },
      { name: 'Testing', description: 'Test what sends to an address' },
      { name: 'Forwarding', description: 'Forward messages to a real email address that agreed' },
      { name: 'Push', description: 'Tell a browser of new messages while no page is open' },
      { name: 'Service', description: 'About the service. Health checks have no limits.' },
      { name: 'Forms of the site', description: 'For the pages of this site only' },
      { name: 'Orders of the site', description: 'For the pages of this site only' },
      { name: 'Account of the site', description: 'For the pages of this site only' },
      { name: 'Session of the site', description: 'For the pages of this site only' },
    ],
  },
})
