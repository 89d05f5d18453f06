import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { type Figures, fillFigures, numberLocale } from '#content/figures.ts'
import { OF_THE_SITE } from '#contract/addresses.ts'
import { BODY_PROBLEMS, problems } from '../schema.ts'

type Document = ReturnType<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>

interface Schema {
  $ref?: string
  required?: string[]
  minProperties?: number
  properties?: Record<string, { $comment?: string }>
}
interface Operation {
  tags?: string[]
  security?: object[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
  responses: Record<string, { description: string }>
}

/** The document is in English. */
export const LOCALE = numberLocale('en')

const SECRET = [{ secret: [] }, { secret: [], key: [] }]

/**
 * Adds to the document what the schemas of the routes do not say: which bodies are optional, the problems that any
 * request with a body can have, what each call requires, and the figures of the site. Removes the fields that only the
 * pages of the site send.
 */
export function completeDocument(document: Partial<Document>, figures: Figures): Partial<Document> {
  const { paths = {}, components } = document as {
    paths?: Record<string, Record<string, Operation>>
    components?: { schemas?: Record<string, Schema> }
  }
  for (const { properties = {} } of Object.values(components?.schemas ?? {}))
    for (const [name, { $comment }] of Object.entries(properties)) if ($comment === OF_THE_SITE) delete properties[name]
  const resolve = (schema: Schema): Schema => components?.schemas?.[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const isApi = path.startsWith('/api/')
      operation.security = securityOf(operation, isApi)
      if (isApi && method !== 'get') addBodyProblems(operation)
      const schema = resolve(operation.requestBody?.content['application/json']?.schema ?? {})
      if (operation.requestBody && isOptional(schema)) operation.requestBody.required = false
    }
  return withFigures(document, figures)
}

/** Puts the figures into all texts of a document. Copies it, because its schemas are those of the routes. */
function withFigures<T>(part: T, figures: Figures): T {
  if (Array.isArray(part)) return part.map((each: unknown) => withFigures(each, figures)) as T
  if (typeof part !== 'object' || part === null) return part
  const filled = Object.entries(part).map(([name, value]: [string, unknown]) => [
    name,
    (name === 'description' || name === 'summary') && typeof value === 'string'
      ? fillFigures(value, figures, LOCALE)
      : withFigures(value, figures),
  ])
  return Object.fromEntries(filled) as T
}

/** A body in which nothing is required may be left out. A body that is not JSON has no schema. */
const isOptional = ({ required = [], minProperties = 0, ...schema }: Schema): boolean =>
  'properties' in schema && required.length === 0 && minProperties === 0

/** Any request may have a body, also where none is expected. */
function addBodyProblems({ responses }: Operation): void {
  const missing = JSON.parse(
    JSON.stringify(problems(...BODY_PROBLEMS)).replaceAll(/"\$ref":"(\w+)#"/g, '"$ref":"#/components/schemas/$1"'),
  ) as Operation['responses']
  for (const [status, response] of Object.entries(missing)) responses[status] ??= response
}

function securityOf({ security, tags = [], requestBody, responses }: Operation, isApi: boolean): object[] {
  if (security) return security.flatMap((each) => (JSON.stringify(each) === '{"secret":[]}' ? SECRET : [each]))
  const refusal = responses['401']?.description ?? ''
  if (refusal.includes('`not_signed_in`')) return [{ account: [] }]
  if (tags.includes('Session of the site') && !requestBody && refusal.includes('`unauthorized`'))
    return [{ session: [] }]
  return isApi ? [{}, { key: [] }] : [{}]
}
