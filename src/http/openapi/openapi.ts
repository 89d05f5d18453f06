import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'

/** The head of the OpenAPI document. Paths come from the schemas of the routes. */
export const openApi: FastifyDynamicSwaggerOptions = {
  refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Mayfly',
      version: '1',
      description:
        'Temporary e-mail addresses. Create one, keep its secret, and read what arrives: ' +
        '`Authorization: Bearer SECRET`. Problems are RFC 9457 with a stable `code`. Times are RFC 3339 in UTC. ' +
        'Limits count for each IP address, or for the API key in `X-Api-Key`, and are told in `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds until it is ' +
        'whole again); 429 comes with `Retry-After`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    components: {
      securitySchemes: {
        secret: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret of the address, handed out at its creation',
        },
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'An API key of Premium: every call may bear one, beside the secret, and has its limits then',
        },
      },
    },
    // Calls to the servers of subscribers. OpenAPI 3.1 calls these webhooks as well.
    webhooks: {
      message: {
        post: {
          operationId: 'webhookMessage',
          summary: 'A mail came to an address of the subscription, or a test',
          description:
            'Signed as standardwebhooks.com says, in `webhook-id`, `webhook-timestamp` and `webhook-signature`. 2xx takes it; ' +
            '410 removes the webhook; anything else, also a redirect, and it comes again for 24 hours, with the same id.',
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookEvent' } } } },
          responses: { '2XX': { description: 'Taken' }, '410': { description: 'Not wanted any more' } },
        },
      },
    },
    tags: [
      { name: 'Addresses' },
      { name: 'Messages' },
      { name: 'Forwarding' },
      { name: 'Service', description: 'About the service itself; health and metrics have no limits' },
      { name: 'Forms of the site', description: 'For the pages of the site only' },
      { name: 'Orders of the site', description: 'For the pages of the site only' },
      { name: 'Account of the site', description: 'For the pages of the site only' },
      { name: 'Session of the site', description: 'For the pages of the site only' },
    ],
  },
}
