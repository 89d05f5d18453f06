import scalar from '@scalar/fastify-api-reference'

/** The path of the script that renders the API reference. */
export const REFERENCE_SCRIPT = '/reference/scalar.js'

interface Route {
  url: string
  handler(request: object, reply: object): unknown
}

/** Returns the script. Its package offers it only as a route of a Fastify plugin. */
export function referenceScript(): string {
  let script = ''
  const reply = { header: () => reply, send: (body: string) => (script = body) }
  const app = { route: ({ url, handler }: Route) => url.endsWith('.js') && handler({}, reply) }
  scalar(app as never, { routePrefix: '/', configuration: { url: '/' } }, () => {})
  if (script === '') throw new Error('The package of the API reference has no script')
  return script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
}
