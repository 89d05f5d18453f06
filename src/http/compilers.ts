import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { closest, distance } from 'fastest-levenshtein'
import type { FastifySchemaCompiler } from 'fastify'
import { parseDateTime } from '#core/date-time.ts'
import { MayflyError } from '#core/errors.ts'
import { clearErrors } from './validation-errors.ts'

/**
 * Validates what requests contain. Queries and paths are converted, because numbers in them are text. Bodies are not:
 * conversion would turn 12345 into `"12345"` and null into false. Each validator is created when a request first needs
 * it, which makes a start faster. A scalar in a query counts as an array with one item. `schemas` are those that others
 * refer to by `$ref`.
 */
export function lazyValidators(schemas: object[]): FastifySchemaCompiler<object> {
  const options = {
    schemas,
    useDefaults: true,
    // Errors have the schema and the data, for `clearErrors`.
    verbose: true,
    addUsedSchema: false,
    formats: { 'date-time': (text: string) => parseDateTime(text) !== undefined },
    // Ajv would also validate the schemas, which takes a third of a second at the start. Tests validate the OpenAPI
    // document that is generated from them.
    meta: false,
    validateSchema: false,
  }
  const converting = new Ajv({ ...options, coerceTypes: 'array' })
  const exact = new Ajv(options)
  return ({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? exact : converting
    let validate: ValidateFunction | undefined
    const integers = httpPart === 'body' ? [] : integersOf(schema)
    return (data: unknown) => {
      validate ??= ajv.compile(schema)
      const odd = integers.find((name) => isOddInteger((data as Record<string, unknown>)[name]))
      if (odd !== undefined) return { error: notAnInteger(odd) }
      // If nothing in a body is required, the body itself is optional. Fastify passes null for a missing one.
      if (httpPart === 'body' && data === null && validate({})) return { value: {} }
      if (validate(data)) return { value: data }
      const errors = validate.errors ?? []
      return { error: (httpPart === 'querystring' && unknownParameter(errors, schema)) || clearErrors(errors) }
    }
  }
}

/** The names of the integers in the schema of a query or path. */
const integersOf = (schema: object): string[] =>
  Object.entries((schema as { properties?: Record<string, { type?: string }> }).properties ?? {})
    .filter(([, { type }]) => type === 'integer')
    .map(([name]) => name)

/** Whether only JavaScript reads a text as an integer, such as `01`, `1.0`, `+1`, `1e0` or an empty text. */
const isOddInteger = (value: unknown): boolean => typeof value === 'string' && !/^(?:0|-?[1-9]\d*)$/.test(value)

const notAnInteger = (name: string): MayflyError =>
  new MayflyError('invalid_request', `\`${name}\` must be an integer, such as \`0\` or \`12\`.`)

/** Typing errors in one name. A name that differs by more letters is not suggested. */
const TYPING_ERRORS_MAX = 3

/** Returns an error that suggests the nearest known name if the query has an unknown parameter. */
function unknownParameter(errors: readonly ErrorObject[], schema: object): MayflyError | undefined {
  const name: unknown = errors.find(({ keyword }) => keyword === 'additionalProperties')?.params.additionalProperty
  if (typeof name !== 'string') return undefined
  const known = Object.keys((schema as { properties?: object }).properties ?? {})
  return new MayflyError('invalid_request', `Unknown query parameter \`${name.slice(0, 50)}\`. ${helpFor(name, known)}`)
}

function helpFor(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'This call has none.'
  const wanted = name.slice(0, 50).toLowerCase()
  const nearest = closest(wanted, known)
  const isNear = distance(wanted, nearest) <= Math.min(TYPING_ERRORS_MAX, nearest.length - 1)
  return isNear ? `Did you mean \`${nearest}\`?` : `Known are: ${known.map((each) => `\`${each}\``).join(', ')}`
}

type SerializerFactory = ReturnType<typeof SerializerSelector>

const serializers = SerializerSelector()

/**
 * Fastify's serializers, each created when the first response needs it. Creating all of them takes a third of the CPU
 * time of a start.
 */
export const lazySerializers: SerializerFactory = (externalSchemas, options) => {
  const compile = serializers(externalSchemas, options)
  return (route) => {
    let serializer: ReturnType<typeof compile> | undefined
    return (value: unknown) => (serializer ??= compile(route))(value)
  }
}
