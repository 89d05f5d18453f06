import type { OperationJson } from '#contract/pages.ts'
import document from '../../openapi.json' with { type: 'json' }

/** Operations for programs. The other routes serve the pages of the site and the operator. */
const TAGS = new Set(['Addresses', 'Messages', 'Testing', 'Service'])

interface Schema {
  $ref?: string
  properties?: object
}
interface Operation {
  operationId: string
  tags?: string[]
  parameters?: { name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: object
}

const schemas = document.components.schemas as Record<string, Schema>
const resolve = (schema: Schema): Schema => schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema

function parametersOf({ parameters = [], requestBody }: Operation): string[] {
  const body = requestBody && resolve(requestBody.content['application/json']?.schema ?? {})
  return [...parameters.map(({ name }) => name), ...Object.keys(body?.properties ?? {})]
}

/** The operations of the API for programs, from the document that is also served at `/api/v1/openapi.json`. */
export const apiOperations: OperationJson[] = Object.entries(
  document.paths as Record<string, Record<string, Operation>>,
).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, { tags }]) => path.startsWith('/api/') && tags?.some((tag) => TAGS.has(tag)))
    .map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: parametersOf(operation),
      statuses: Object.keys(operation.responses),
    })),
)
