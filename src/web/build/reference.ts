import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

/** The path of the script that renders the API reference. */
export const REFERENCE_SCRIPT = '/reference/scalar.js'

/** Returns the script. Its package only offers it through a Fastify plugin. */
export async function referenceScript(): Promise<string> {
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/', configuration: { url: '/' } })
  const { body, statusCode } = await app.inject('/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error('The package of the API reference has no script')
  return body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
}
