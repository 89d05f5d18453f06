import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

/**
 * Validates what requests contain. Queries and paths are converted, because numbers in them are text. Bodies are not:
 * conversion would turn 12345 into `"12345"` and null into false. Each validator is created when a request first needs
 * it, which makes a start faster. `schemas` are those that others refer to by `$ref`.
 */
export function lazyValidators(schemas: object[]): FastifySchemaCompiler<object> {
  const options = { schemas, useDefaults: true, addUsedSchema: false }
  const converting = new Ajv({ ...options, coerceTypes: true })
  const exact = new Ajv(options)
  return ({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? exact : converting
    let validate: ValidateFunction | undefined
    return (data: unknown) => {
      validate ??= ajv.compile(schema)
      return validate(data) ? { value: data } : { error: validate.errors ?? [] }
    }
  }
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
